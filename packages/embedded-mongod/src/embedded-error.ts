/** A failure of the embedded database, told to a person: what is wrong, then what to do. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";

  /**
   * @param wrong one sentence on what is wrong
   * @param remedy one sentence on what to do
   * @param details lines of evidence, such as the end of mongod's log, shown between the two
   */
  constructor(wrong: string, remedy: string, details: readonly string[] = [], cause?: unknown) {
    const message =
      details.length === 0 ? `${wrong} ${remedy}` : [wrong, ...details.map((d) => `  ${d}`), remedy].join("\n");
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** The `code` of a system error such as `ENOENT`, or the message of any other error, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : (error.message.split("\n")[0] ?? error.name);
}
