/** 1 failed, 2 wrong usage or setting, 3 no database; 0 is success. */
export type ExitCode = 0 | 1 | 2 | 3;

/** An expected failure of a command: what is wrong, what to do, and the exit code. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}
