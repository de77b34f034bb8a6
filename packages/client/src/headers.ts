/** Headers by name, whatever their case. A header that is undefined is removed. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/** Headers by lower-case name. */
export type NormalizedHeaders = Record<string, string>;

/** Adds headers to others, and removes those that are undefined. */
export function mergeHeaders(headers: NormalizedHeaders, added: HeaderValues | undefined): NormalizedHeaders {
  const merged = { ...headers };
  for (const name in added) {
    const value = added[name];
    if (value === undefined) delete merged[name.toLowerCase()];
    else merged[name.toLowerCase()] = value;
  }
  return merged;
}
