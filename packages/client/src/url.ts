/** Segments that a URL parser would drop or that cannot be encoded: "", "." and "..", and lone surrogates. */
const INVALID_SEGMENT = /^\.{0,2}$|[\ud800-\udfff]/u;

/**
 * Fills in a path's parameters.
 *
 * @throws TypeError if a parameter is missing, empty, `.` or `..`: the URL would lead to another route.
 */
export const fillPath = (path: string, parameters: Readonly<Record<string, unknown>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (typeof value === "string" && !INVALID_SEGMENT.test(value)) return encodeURIComponent(value);
    throw new TypeError(`${name} must be a string, and not "", "." or ".."`);
  });

/** Encodes the parameters that are not undefined as a query string, with its question mark. */
export function queryString(parameters: Readonly<Record<string, unknown>> = {}): string {
  let query = "";
  for (const name in parameters) {
    const value = parameters[name];
    if (value !== undefined) query += `${query ? "&" : "?"}${name}=${encodeURIComponent(String(value))}`;
  }
  return query;
}
