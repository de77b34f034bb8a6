/** A transaction that conflicted with others, or waited for them, until its deadline. */
export class WriteConflictError extends Error {
  override readonly name = "WriteConflictError";

  constructor(attempts: number) {
    super(`The transaction gave up after ${attempts} conflicts with others, or while it waited for them.`);
  }
}
