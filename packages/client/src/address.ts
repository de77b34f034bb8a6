/** What a URL parser would make another route of: nothing, `.` and `..`; and what has no encoding, half a surrogate pair. */
const UNFIT = /^\.{0,2}$|\p{Cs}/u;

/**
 * Fills a path's parameters in.
 *
 * @throws TypeError where one is missing, empty, `.` or `..`, as the request would reach another route.
 */
export const fillPath = (path: string, values: Readonly<Record<string, unknown>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value === "string" && !UNFIT.test(value)) return encodeURIComponent(value);
    throw new TypeError(`${name} must be a string, and not "", "." or ".."`);
  });

/** Writes the parameters that are given as a query, with its question mark. */
export function writeQuery(values: Readonly<Record<string, unknown>> = {}): string {
  let query = "";
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) query += `${query ? "&" : "?"}${name}=${encodeURIComponent(String(value))}`;
  }
  return query;
}
