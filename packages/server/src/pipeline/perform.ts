import type { ContractOperation } from "../contract.ts";
import type { Principal } from "../domain/account.ts";
import { within } from "./deadline.ts";
import type { Step } from "./exchange.ts";

/** What an operation gets of a request: no HTTP. */
export interface Call {
  readonly caller: Principal;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What an operation answers. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** Path of a created record below the base address. */
  readonly location?: string;
}

/** A reply as it goes out: ready to be sent, or to be kept and sent again. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** Performs an operation once; `key` is the `Idempotency-Key` of those that have one (C-IDEM-1). */
export type Perform = (
  operation: ContractOperation,
  call: Call,
  send: (reply: Reply) => Answer,
  key: string | undefined,
) => Promise<Answer>;

/** How much longer a deletion may take, in milliseconds: a project may have a hundred thousand records. */
const deletionMs = 55_500;

/** Performs the operation and sends its answer. */
export function perform(run: Perform, basePath: string): Step {
  const send = (reply: Reply): Answer => ({
    status: reply.status,
    headers: reply.location === undefined ? {} : { Location: basePath + reply.location },
    body: JSON.stringify(reply.body),
  });
  return async (exchange) => {
    const { operation, principal, path, query, body, deadline } = exchange.state;
    if (!operation || !principal) throw new Error("perform comes after authenticate and match");
    const key = operation.headerNames.includes("idempotency-key") ? exchange.headers["idempotency-key"] : undefined;
    const work = run(operation, { caller: principal, path, query, body }, send, key as string | undefined);
    const answer = await within(work, operation.method === "delete" ? deadline + deletionMs : deadline);
    exchange.status = answer.status;
    exchange.set(answer.headers);
    exchange.type = "json";
    exchange.body = answer.body;
  };
}
