/** The allowance of the caller's account, as a response states it (S-RATE-1). */
export interface RateLimit {
  /** Requests that the allowance grants per window. */
  readonly limit: number;
  /** Requests left in the window. */
  readonly remaining: number;
  /** When the window ends. */
  readonly reset: Date;
}

// A missing header is null, and parsing null gives NaN.

/** The server's time, as the caller's clock may be wrong; the caller's if the response has no date. */
const serverNow = (headers: Pick<Headers, "get">) => Date.parse(headers.get("date") as string) || Date.now();

const readNumber = (headers: Pick<Headers, "get">, name: string) =>
  parseFloat(headers.get(`x-ratelimit-${name}`) as string);

/** Milliseconds of Unix time. A reset below 10^9 (the year 2001) means seconds left, as some servers send. */
function readReset(headers: Pick<Headers, "get">): number {
  const reset = readNumber(headers, "reset") * 1000;
  return reset < 1e12 ? serverNow(headers) + reset : reset;
}

/**
 * Reads the allowance from a response's headers.
 *
 * @returns undefined unless the response carries all three of `X-RateLimit-Limit`, `X-RateLimit-Remaining` and
 * `X-RateLimit-Reset`. A response of a proxy may not.
 */
export function rateLimitOf(headers: Pick<Headers, "get">): RateLimit | undefined {
  const limit = readNumber(headers, "limit");
  const remaining = readNumber(headers, "remaining");
  const reset = readReset(headers);
  return limit + remaining + reset >= 0 ? { limit, remaining, reset: new Date(reset) } : undefined;
}

/**
 * Whole seconds that the server asks the caller to wait: `Retry-After`, in seconds or as a date (RFC 9110, section
 * 10.2.3), else, on a 429, the rest of the window. undefined if it asks for nothing.
 */
export function retryAfterOf(status: number, headers: Pick<Headers, "get">): number | undefined {
  const value = headers.get("retry-after") ?? "";
  const until = value ? Date.parse(value) : status === 429 ? readReset(headers) : NaN;
  const seconds = /^\d/.test(value) ? parseFloat(value) : (until - serverNow(headers)) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
