import type { ParameterizedContext } from "koa";
import type { Logger } from "pino";
import type { ContractOperation } from "../contract/contract.ts";
import type { Deadline } from "../deadline.ts";
import type { Principal } from "../domain/account.ts";

/** What is known of a request beside what Koa knows. */
export interface ContextState {
  /** Id of this request (C-ERR-4). */
  requestId: string;
  deadline: Deadline;
  /** Who is asking, for the log; undefined before authentication, and without a valid key. */
  principal?: Principal;
  /** The account that is signed in, for the log; undefined without a session, and in v1. */
  signedInAccount?: string;
  /** Which operation is called, for the log and the metrics; undefined before routing. */
  operation?: ContractOperation;
  /** Id of the trace that the request belongs to; undefined without tracing. */
  traceId?: string;
  /** The private cause of an error response, for the log. */
  cause?: unknown;
}

export type Context = ParameterizedContext<ContextState>;
export type Middleware = (ctx: Context, next: () => Promise<unknown>) => Promise<void>;
export type Log = Pick<Logger, "info" | "warn" | "error" | "debug">;
