import type { ParameterizedContext } from "koa";
import type { Logger } from "pino";
import type { ContractOperation } from "../contract.ts";
import type { Principal } from "../domain/account.ts";

/** What the steps of the pipeline leave for each other. */
export interface ExchangeState {
  /** Id of this request (C-ERR-4). */
  requestId: string;
  /** Until when the request waits for the database, by the clock of `performance.now()`. */
  deadline: number;
  /** Who asks; undefined before authentication, and without a valid key. */
  principal?: Principal;
  /** Which operation is asked for; undefined before matching. */
  operation?: ContractOperation;
  /** Parameters of the path and query, checked. */
  path: Record<string, string>;
  query: Record<string, unknown>;
  /** The parsed body, checked; undefined where the operation takes none. */
  body?: unknown;
}

export type Exchange = ParameterizedContext<ExchangeState>;
export type Step = (exchange: Exchange, next: () => Promise<unknown>) => Promise<void>;
export type Log = Pick<Logger, "info" | "warn" | "error" | "debug">;
