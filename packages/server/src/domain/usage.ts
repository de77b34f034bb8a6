/** Hours for which usage is kept: 31 days (C-ACC-4). */
export const usageHours = 744;
export const hourMs = 3_600_000;

/** Requests of one account in one hour (C-ACC-4). */
export interface UsageCounts {
  /** All requests. */
  readonly requests: number;
  /** Those that were refused with 429. */
  readonly rateLimited: number;
  /** Those that got any other error, 400 to 599. */
  readonly errors: number;
}

/** The last hours without a gap, oldest first, up to the one that `now` is in. */
export function denseHours(
  found: ReadonlyMap<number, UsageCounts>,
  hours: number,
  now: Date,
): (UsageCounts & { readonly start: Date })[] {
  const current = Math.floor(now.getTime() / hourMs);
  return Array.from({ length: hours }, (_, index) => {
    const hour = current - hours + 1 + index;
    const { requests = 0, rateLimited = 0, errors = 0 } = found.get(hour) ?? {};
    return { start: new Date(hour * hourMs), requests, rateLimited, errors };
  });
}
