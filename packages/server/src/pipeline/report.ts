import { randomUUID } from "node:crypto";
import { Refusal } from "../errors.ts";
import { longestWaitMs } from "./deadline.ts";
import type { Log, Step } from "./exchange.ts";

/** What an operator counts of a finished request. */
export type Observe = (operation: string, status: number, seconds: number) => void;

const visible = /^[!-~]{1,128}$/;
const retryAfterSeconds = "2";

/**
 * The outermost step: gives the request its id, turns whatever is thrown into an answer, and when the answer has been
 * sent writes one line to the log, never a key or a body (C-ERR-1, C-ERR-2, C-ERR-4).
 */
export function report(log: Log, observe: Observe, isOutage: (error: unknown) => boolean): Step {
  return async (exchange, next) => {
    const began = performance.now();
    const sent = exchange.get("X-Request-Id");
    const requestId = visible.test(sent) ? sent : randomUUID();
    exchange.state.requestId = requestId;
    exchange.state.deadline = began + longestWaitMs;
    exchange.set("X-Request-Id", requestId);
    exchange.set("X-Content-Type-Options", "nosniff");
    let cause: unknown;
    try {
      await next();
    } catch (error) {
      const refusal = refusalOf(error, isOutage);
      cause = refusal.cause;
      exchange.status = refusal.status;
      exchange.message = refusal.body.error;
      exchange.set(refusal.headers);
      exchange.type = "json";
      exchange.body = JSON.stringify(refusal.body);
    }
    const tell = () => {
      const { operation, principal } = exchange.state;
      const name = operation?.id ?? "none";
      const elapsed = performance.now() - began;
      const line = {
        requestId,
        accountId: principal?.accountId,
        operation: name,
        method: exchange.method,
        status: exchange.status,
        ms: Math.round(elapsed * 10) / 10,
        ...(exchange.res.writableFinished ? {} : { aborted: true }),
        ...(cause === undefined ? {} : { err: cause }),
      };
      if (exchange.status >= 500) log.error(line, "request failed");
      else log.info(line, "request");
      observe(name, exchange.status, elapsed / 1_000);
    };
    // A client that has gone meanwhile left its work behind, and has a line as any other.
    if (exchange.res.closed) tell();
    else exchange.res.once("close", tell);
  };
}

function refusalOf(error: unknown, isOutage: (error: unknown) => boolean): Refusal {
  if (error instanceof Refusal) return error;
  if (isOutage(error)) {
    return new Refusal("ServiceUnavailable", "The service cannot reach its database. Try again shortly.", {
      headers: { "Retry-After": retryAfterSeconds },
      cause: error,
    });
  }
  return new Refusal("InternalServerError", "The service failed. Try again, and give the X-Request-Id to support.", {
    cause: error,
  });
}
