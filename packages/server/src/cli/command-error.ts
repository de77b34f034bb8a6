/** A command that cannot be done: what is wrong, and what to do. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
