/** What keeps a release back: each sentence says what is wrong and what to do. */
export class ReleaseError extends Error {
  override readonly name = "ReleaseError";

  constructor(...problems: readonly string[]) {
    super(problems.join("\n"));
  }
}
