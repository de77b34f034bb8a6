import type { TLSSocket } from "node:tls";
import type { Context } from "./context.ts";
import { HttpError } from "./http-error.ts";

/** Where the pages of the service are. */
export interface Site {
  /** Such as `https://feedback.example.com`: PUBLIC_URL, else localhost with the port of the socket. */
  readonly origin: string;
  /** Whether browsers come by TLS, so that cookies must be Secure. */
  readonly isSecure: boolean;
  /** Whether this request's browser is at the origin. */
  readonly isAtOrigin: boolean;
}

/** @param publicUrl address at which browsers reach the server; undefined where they are on this machine */
export function siteOf(ctx: Context, publicUrl: string | undefined): Site {
  const { localPort, encrypted = false } = ctx.req.socket as Partial<TLSSocket>;
  const origin = publicUrl ?? `${encrypted ? "https" : "http"}://localhost:${localPort}`;
  return { origin, isSecure: origin.startsWith("https:") || ctx.secure, isAtOrigin: ctx.host === new URL(origin).host };
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses an unsafe request that a page of another origin sends (C-ACC-3). Browsers tell by `Sec-Fetch-Site`, and by
 * `Origin` with every unsafe request; programs send neither, and have no cookie that a page could borrow.
 * @throws HttpError 403
 */
export function requireOwnOrigin(ctx: Context, { origin: own }: Site, publicUrl: string | undefined): void {
  if (safeMethods.has(ctx.method)) return;
  const { origin, "sec-fetch-site": site } = ctx.headers;
  const isOwnSite = site === undefined || site === "same-origin" || site === "none";
  // Without PUBLIC_URL the server is on this machine, where it has several names.
  const isOwnOrigin = origin === undefined || origin === (publicUrl ?? `${ctx.protocol}://${ctx.host}`);
  if (isOwnSite && isOwnOrigin) return;
  const message = `A page of another origin may not do this. Open ${own}/settings and do it there.`;
  throw new HttpError("Forbidden", message, { code: "other_origin" });
}
