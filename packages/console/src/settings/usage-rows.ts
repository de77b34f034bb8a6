/** What was asked in an hour that begins at `start`. */
export interface Count {
  readonly start: string;
  readonly requests: number;
  readonly rateLimited: number;
  readonly errors: number;
}

/** A line of the table. */
export interface Row extends Omit<Count, "start"> {
  readonly label: string;
}

const hour = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", month: "short", day: "numeric" });

export function totalOf(counts: readonly Omit<Count, "start">[]): Omit<Count, "start"> {
  const total = { requests: 0, rateLimited: 0, errors: 0 };
  for (const { requests, rateLimited, errors } of counts) {
    total.requests += requests;
    total.rateLimited += rateLimited;
    total.errors += errors;
  }
  return total;
}

/** One row for each hour, the newest first. */
export function byHour(counts: readonly Count[]): Row[] {
  return counts.map(({ start, ...rest }) => ({ label: hour.format(new Date(start)), ...rest })).reverse();
}

/** One row for each day of the visitor's time zone, the newest first. */
export function byDay(counts: readonly Count[]): Row[] {
  const days = Map.groupBy(counts, ({ start }) => day.format(new Date(start)));
  return [...days].map(([label, group]) => ({ label, ...totalOf(group) })).reverse();
}
