/** The allowance of the caller's account, as an answer told it (S-RATE-1). */
export interface RateLimit {
  /** Requests the allowance holds for its window. */
  readonly limit: number;
  /** Requests left in the window. */
  readonly remaining: number;
  /** When the window ends. */
  readonly reset: Date;
}

// A header that is missing is null, and a number or date of null is NaN.

/** The server's clock, so that the caller's may be wrong; the caller's where an answer bears no date. */
const serverNow = (headers: Headers) => Date.parse(headers.get("date") as string) || Date.now();

const numberIn = (headers: Headers, name: string) => parseFloat(headers.get(`x-ratelimit-${name}`) as string);

/** Milliseconds of Unix time. A reset below 10^9, which was in 2001, is seconds left, as some deployments count. */
function resetOf(headers: Headers): number {
  const reset = numberIn(headers, "reset") * 1000;
  return reset < 1e12 ? serverNow(headers) + reset : reset;
}

/**
 * Reads the rate state off an answer's headers.
 *
 * @returns undefined where the answer does not carry all three of `X-RateLimit-Limit`, `X-RateLimit-Remaining` and
 * `X-RateLimit-Reset`, as one from a proxy on the way may not.
 */
export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const limit = numberIn(headers, "limit");
  const remaining = numberIn(headers, "remaining");
  const reset = resetOf(headers);
  return limit + remaining + reset >= 0 ? { limit, remaining, reset: new Date(reset) } : undefined;
}

/**
 * Whole seconds that the server asks the caller to wait: `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3),
 * else, on a 429, what is left of the window. undefined where it asks nothing.
 */
export function retryAfterOf(status: number, headers: Headers): number | undefined {
  const asked = headers.get("retry-after") ?? "";
  const until = asked ? Date.parse(asked) : status === 429 ? resetOf(headers) : NaN;
  const seconds = /^\d/.test(asked) ? parseFloat(asked) : (until - serverNow(headers)) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
