// Runs the programs of the bench and sets their exit codes.

import { EmbeddedError } from "@project-feedback/embedded-mongod";
import type { Command } from "commander";

/** An error that the user can fix: one sentence says what is wrong, one what to do. */
export class BenchError extends Error {
  override readonly name = "BenchError";
}

/** Runs a program. It exits with 1 where it throws, and with 2 where it is used wrongly. */
export async function runProgram(program: Command): Promise<never> {
  // One for each server. Node warns above 10, of a leak that this is not.
  process.setMaxListeners(100);
  // Servers and mongod are stopped by exit handlers, which do not run where a signal ends the process.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  try {
    await program.parseAsync();
  } catch (error) {
    const isExpected = error instanceof BenchError || error instanceof EmbeddedError;
    console.error(isExpected ? error.message : error);
    process.exit(1);
  }
  process.exit();
}
