/** An expected failure, with a message for people: what is wrong, then what to do. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";

  /**
   * @param problem one sentence on what is wrong
   * @param remedy one sentence on what to do
   * @param details lines shown between the two, such as the end of mongod's log
   */
  constructor(problem: string, remedy: string, details: readonly string[] = [], cause?: unknown) {
    const message =
      details.length === 0
        ? `${problem} ${remedy}`
        : [problem, ...details.map((line) => `  ${line}`), remedy].join("\n");
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** The `code` of a system error such as `ENOENT`, or the first line of any other error's message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : (error.message.split("\n")[0] ?? error.name);
}
