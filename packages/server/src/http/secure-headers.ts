import type { Middleware } from "./context.ts";

const always = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };
/** A year (RFC 6797). */
const overTls = { ...always, "Strict-Transport-Security": "max-age=31536000" };

/** The headers of every response that protect its client: no guessed type, no stored copy, no plain HTTP later. */
export function secureHeaders(secure: boolean): Readonly<Record<string, string>> {
  return secure ? overTls : always;
}

/** Sets the secure headers; behind a trusted proxy `X-Forwarded-Proto` says whether the client came by TLS. */
export const setSecureHeaders: Middleware = async (ctx, next) => {
  ctx.set(secureHeaders(ctx.secure));
  await next();
};

/** Headers of every response of the account's own interface: no frame, no Referer, no use by another site (C-ACC-3). */
export const accountHeaders = {
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;
