import type { Allowance, RateLimitResult } from "../allowances/allowance.ts";
import type { Principal } from "../domain/account.ts";
import { addressSubject } from "./client-address.ts";
import type { Context, Middleware } from "./context.ts";
import { HttpError } from "./http-error.ts";

/** The allowances that all processes share. */
export interface RateLimits {
  spend(subject: string, limit: number): RateLimitResult | Promise<RateLimitResult>;
  peek(subject: string, limit: number): Allowance;
  limitOf(principal: Principal): number;
  /** Requests an hour without a valid key, for each client address. */
  readonly addressLimit: number;
}

/** What is left to a client address. */
export type AddressLimits = Pick<RateLimits, "peek" | "addressLimit">;

/**
 * Spends one request of the account's allowance, or without a valid key of the address's (C-RATE-2, C-RATE-3).
 * @returns the principal of a request that may go on, and what is left of the allowance
 * @throws HttpError 429 past the allowance, 401 without a valid key (S-RATE-3, S-AUTH-2)
 */
export async function rateLimit(
  ctx: Context,
  principal: Principal | null,
  limits: RateLimits,
): Promise<{ caller: Principal; allowance: Allowance }> {
  const allowance = await (principal
    ? spend(ctx, limits, principal.accountId, limits.limitOf(principal))
    : spend(ctx, limits, addressSubject(ctx.ip), limits.addressLimit));
  if (principal) return { caller: principal, allowance };
  throw new HttpError("Unauthorized", "Invalid or missing API key", { headers: { "WWW-Authenticate": "Bearer" } });
}

/**
 * Spends one request of a subject's allowance, and sets its headers.
 * @throws HttpError 429 past the allowance
 */
export async function spend(
  ctx: Context,
  limits: Pick<RateLimits, "spend">,
  subject: string,
  limit: number,
): Promise<Allowance> {
  const spent = limits.spend(subject, limit);
  const result = spent instanceof Promise ? await ctx.state.deadline.race(spent) : spent;
  setHeaders(ctx, result);
  if (result.admitted) return result;
  const message = `The allowance of ${result.limit} requests an hour is used up. Try again in ${result.secondsLeft} seconds.`;
  throw new HttpError("TooManyRequests", message, { headers: { "Retry-After": String(result.secondsLeft) } });
}

/**
 * Gives the headers of an allowance to errors that happen before an allowance is known, as when the database is away: those of
 * the client's address, which is who would be counted (S-RATE-1).
 * @param limitsOf the limits of the interface that a path belongs to
 */
export function rateLimitHeaders(limitsOf: (path: string) => AddressLimits): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const isKnown = ctx.res.hasHeader("X-RateLimit-Limit");
      if (!isKnown) ctx.set(addressHeaders(ctx.ip, limitsOf(ctx.path)));
      throw error;
    }
  };
}

/** The headers of the allowance of a client address. */
export function addressHeaders(address: string, limits: AddressLimits): Readonly<Record<string, string>> {
  return headersOf(limits.peek(addressSubject(address), limits.addressLimit));
}

function setHeaders(ctx: Context, allowance: Allowance): void {
  ctx.set(headersOf(allowance));
}

function headersOf({ limit, remaining, reset }: Allowance): Record<string, string> {
  const secondsLeft = Math.max(0, reset - Math.floor(Date.now() / 1_000));
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(reset),
    RateLimit: `"hour";r=${remaining};t=${secondsLeft}`,
    "RateLimit-Policy": `"hour";q=${limit};w=3600`,
  };
}
