import type { Context, Log, Middleware } from "./context.ts";
import { isProbe } from "./system-endpoints.ts";

/** What an operator counts of a finished request. */
export type Observe = (operation: string, status: number, seconds: number) => void;

/** Counts a finished request of an account's key (C-ACC-4). */
export type CountUsage = (accountId: string, status: number) => void;

/** Longest path in the log, in characters. */
const maxPathLength = 256;

/** Writes one line to the log when the response has been sent: never a key, a cookie, a body or a query. */
export function requestLogger(log: Log, observe: Observe, countUsage: CountUsage): Middleware {
  return async (ctx, next) => {
    const began = performance.now();
    await next();
    const finish = () => {
      const elapsed = performance.now() - began;
      const line = lineOf(ctx, elapsed);
      // Probes come every few seconds, and during an outage they fail as often.
      if (isProbe(ctx.path)) log.debug(line, "request");
      else if (ctx.status >= 500) log.error(line, "request failed");
      else log.info(line, "request");
      observe(line.operation, ctx.status, elapsed / 1_000);
      const { principal } = ctx.state;
      if (principal) countUsage(principal.accountId, ctx.status);
    };
    // The client may have closed the connection already.
    if (ctx.res.closed) finish();
    else ctx.res.once("close", finish);
  };
}

function lineOf(ctx: Context, elapsed: number) {
  const { requestId, operation, principal, signedInAccount, traceId, cause } = ctx.state;
  return {
    requestId,
    ...(traceId === undefined ? {} : { traceId }),
    accountId: principal?.accountId ?? signedInAccount,
    operation: operation?.id ?? "none",
    method: ctx.method,
    status: ctx.status,
    ms: Math.round(elapsed * 10) / 10,
    ...(ctx.status >= 400 ? { address: ctx.ip, path: ctx.path.slice(0, maxPathLength) } : {}),
    ...(ctx.res.writableFinished ? {} : { aborted: true }),
    ...(cause === undefined ? {} : { err: cause }),
  };
}
