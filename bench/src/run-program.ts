// How the programs of the bench end.

import { EmbeddedError } from "@project-feedback/embedded-mongod";
import type { Command } from "commander";

/** What a person can mend: one sentence on what is wrong, one on what to do. */
export class BenchError extends Error {
  override readonly name = "BenchError";
}

/** Runs a program, and exits with 1 where it throws. */
export async function runProgram(program: Command): Promise<never> {
  // Servers and mongod are ended as this process exits, so it must exit, not be ended.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  // Wrong usage is told apart from a run that failed.
  program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  try {
    await program.parseAsync();
  } catch (error) {
    const isForPeople = error instanceof BenchError || error instanceof EmbeddedError;
    console.error(isForPeople ? error.message : error);
    process.exit(1);
  }
  process.exit();
}
