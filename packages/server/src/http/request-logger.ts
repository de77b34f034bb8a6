import type { Log, Middleware } from "./context.ts";

/** What an operator counts of a finished request. */
export type Observe = (operation: string, status: number, seconds: number) => void;

/** Writes one line to the log when the response has been sent: never a key or a body. */
export function requestLogger(log: Log, observe: Observe): Middleware {
  return async (ctx, next) => {
    const began = performance.now();
    await next();
    const finish = () => {
      const { requestId, operation, principal, cause } = ctx.state;
      const name = operation?.id ?? "none";
      const elapsed = performance.now() - began;
      const line = {
        requestId,
        accountId: principal?.accountId,
        operation: name,
        method: ctx.method,
        status: ctx.status,
        ms: Math.round(elapsed * 10) / 10,
        ...(ctx.res.writableFinished ? {} : { aborted: true }),
        ...(cause === undefined ? {} : { err: cause }),
      };
      if (ctx.status >= 500) log.error(line, "request failed");
      else log.info(line, "request");
      observe(name, ctx.status, elapsed / 1_000);
    };
    // The client may have closed the connection already.
    if (ctx.res.closed) finish();
    else ctx.res.once("close", finish);
  };
}
