/** Where the client writes its log: nowhere (false), to the console (true), or to a function. */
export type Debug = boolean | ((line: string) => void) | undefined;

/** Writes a line of the debug log. A warning goes to the console by default. */
export function log(debug: Debug, text: string, isWarning?: boolean): void {
  const line = `@project-feedback/client: ${text}`;
  if (typeof debug === "function") debug(line);
  else if (debug) console.debug(line);
  else if (isWarning && debug === undefined) console.warn(line);
}
