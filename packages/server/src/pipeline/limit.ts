import { isIPv6 } from "node:net";
import type { Principal } from "../domain/account.ts";
import type { Allowance, Verdict } from "../domain/allowance.ts";
import { Refusal } from "../errors.ts";
import { within } from "./deadline.ts";
import type { Exchange, Step } from "./exchange.ts";

/** What the limit needs of the allowances that all processes share. */
export interface Limits {
  spend(subject: string, limit: number): Verdict | Promise<Verdict>;
  peek(subject: string, limit: number): Allowance;
  limitOf(principal: Principal): number;
  /** Requests without a valid key, for each client address. */
  readonly addressLimit: number;
}

/** Spends one request of the account's allowance, or without a valid key of the address's; then lets valid keys pass. */
export function limit(limits: Limits): Step {
  return async (exchange, next) => {
    const { principal, deadline } = exchange.state;
    const spent = principal
      ? limits.spend(principal.accountId, limits.limitOf(principal))
      : limits.spend(subjectOf(exchange.ip), limits.addressLimit);
    const verdict = spent instanceof Promise ? await within(spent, deadline) : spent;
    setHeaders(exchange, verdict);
    if (!verdict.admitted) {
      throw new Refusal(
        "TooManyRequests",
        `The allowance of ${verdict.limit} requests an hour is used up. Try again in ${verdict.secondsLeft} seconds.`,
        { headers: { "Retry-After": String(verdict.secondsLeft) } },
      );
    }
    if (!principal) {
      throw new Refusal("Unauthorized", "Invalid or missing API key", { headers: { "WWW-Authenticate": "Bearer" } });
    }
    await next();
  };
}

/**
 * Gives the three headers to refusals that are made before an allowance is known, as when the database is away: those
 * of the client's address, which is who would be counted (S-RATE-1).
 */
export function announceLimit(limits: Limits): Step {
  return async (exchange, next) => {
    try {
      await next();
    } catch (error) {
      const isKnown = exchange.res.hasHeader("X-RateLimit-Limit");
      if (!isKnown) setHeaders(exchange, limits.peek(subjectOf(exchange.ip), limits.addressLimit));
      throw error;
    }
  };
}

function setHeaders(exchange: Exchange, allowance: Allowance): void {
  exchange.set("X-RateLimit-Limit", String(allowance.limit));
  exchange.set("X-RateLimit-Remaining", String(allowance.remaining));
  exchange.set("X-RateLimit-Reset", String(allowance.reset));
}

/** Who is counted without a key: an IPv4 address, or the /64 of an IPv6 address, which is what one host can roam in. */
function subjectOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return `ip:${mapped}`;
  if (!isIPv6(address)) return `ip:${address}`;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const gap = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = [...left, ...gap, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `ip:${groups.join(":")}::/64`;
}
