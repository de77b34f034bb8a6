import type { Connections } from "./connections.ts";
import type { Middleware } from "./context.ts";
import { HttpError } from "./http-error.ts";

/** Says `Connection: close` in the last response of a connection: while the server drains, and past the limit. */
export function closeConnections(connections: Connections): Middleware {
  return async (ctx, next) => {
    await next();
    if (connections.mustClose(ctx.req.socket)) ctx.set("Connection", "close");
  };
}

/** @throws HttpError 503 on a connection past the limit */
export function limitConnections(connections: Connections): Middleware {
  return async (ctx, next) => {
    if (!connections.isOverLimit(ctx.req.socket)) return void (await next());
    throw new HttpError("ServiceUnavailable", "The server has too many connections. Try again shortly.", {
      headers: { "Retry-After": "2" },
    });
  };
}
