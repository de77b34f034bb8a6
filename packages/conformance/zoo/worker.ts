// Judges the servers that the main thread names, one after the other.
import { parentPort } from "node:worker_threads";
import type { Job } from "./job.ts";
import { judgeChoice, judgeMutant, judgeProgram } from "./judge.ts";
import { mutants } from "./mutants/index.ts";
import { choices } from "./variants/choices.ts";
import { programs } from "./variants/programs.ts";

const named = <Item extends { readonly id: string }>(all: readonly Item[], id: string): Item => {
  const found = all.find((one) => one.id === id);
  if (!found) throw new Error(`There is no server "${id}".`);
  return found;
};

const judges = {
  mutant: ({ id, depth }: Job) => judgeMutant(named(mutants, id), depth),
  choice: ({ id, depth }: Job) => judgeChoice(named(choices, id), depth),
  program: ({ id, depth }: Job) => judgeProgram(named(programs, id), depth),
};

parentPort?.on("message", (job: Job) => {
  judges[job.kind](job).then(
    (result) => parentPort?.postMessage({ job, result }),
    (error: unknown) => {
      throw error;
    },
  );
});
