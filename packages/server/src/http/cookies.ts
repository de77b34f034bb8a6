import type { Context } from "./context.ts";
import type { Site } from "./site.ts";

/** The session cookie goes with no request of another site; that of a sign-in comes back from the provider's site. */
const sameSite = { session: "strict", oidc: "lax" } as const;

type CookieName = keyof typeof sameSite;

/** `__Host-` keeps other hosts and paths from setting it, but browsers take it only with Secure (RFC 6265bis). */
function nameOf(name: CookieName, { isSecure }: Site): string {
  return `${isSecure ? "__Host-" : ""}project_feedback_${name}`;
}

/** The value of a cookie that this service has set; undefined without one of its form. */
export function readCookie(ctx: Context, name: CookieName, site: Site): string | undefined {
  const value = ctx.cookies.get(nameOf(name, site));
  return value !== undefined && /^pfc_[\w-]{43}$/.test(value) ? value : undefined;
}

/** Sets a cookie; one without a value is removed. */
export function setCookie(ctx: Context, name: CookieName, value: string, maxAge: number, site: Site): void {
  // A proxy may end TLS without saying so: PUBLIC_URL says it.
  ctx.cookies.secure = site.isSecure;
  const options = { httpOnly: true, secure: site.isSecure, sameSite: sameSite[name], path: "/", overwrite: true };
  ctx.cookies.set(nameOf(name, site), value === "" ? null : value, { ...options, maxAge });
}
