import koaCors from "@koa/cors";
import type Koa from "koa";
import type { Context, Middleware } from "./context.ts";
import { basePath, isBelow } from "./response.ts";

/** The origins whose pages may call the service: all, those of this machine, or those listed. */
export type CorsOrigins = "*" | "loopback" | readonly string[];

/** Headers that a page may read beside the few that it always may (Fetch standard, section 3.3.3). */
const exposedHeaders = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Link",
  "Location",
  "ETag",
  "Idempotency-Replayed",
  "X-Request-Id",
  "Deprecation",
  "Sunset",
];

/** Seconds for which a browser may keep the answer to a preflight; Chromium's limit. */
const maxAge = 7_200;

const loopbackOrigin = /^https?:\/\/(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/**
 * Lets pages of the given origins call what is below the base path. Preflights end here: they need no key and spend no
 * allowance, whatever the origin (C-CORS-1).
 */
export function cors(origins: CorsOrigins): Middleware {
  const isAllowed = (origin: string) =>
    origins === "loopback" ? loopbackOrigin.test(origin) : origins === "*" || origins.includes(origin);
  const allowOrigin = ({ headers: { origin = "" } }: Koa.Context) =>
    origin !== "" && isAllowed(origin) ? (origins === "*" ? "*" : origin) : "";
  const setHeaders = koaCors({
    origin: allowOrigin,
    allowMethods: "GET,HEAD,POST,PATCH,DELETE",
    exposeHeaders: exposedHeaders,
    maxAge,
  }) as unknown as Middleware;

  return async (ctx, next) => {
    if (!isBelow(basePath, ctx.path)) return void (await next());
    await setHeaders(ctx, async () => {
      if (!isPreflight(ctx)) return next();
      // The origin is not allowed. Without the headers, the browser does not send the request.
      ctx.status = 204;
    });
  };
}

const isPreflight = ({ method, headers }: Context): boolean =>
  method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
