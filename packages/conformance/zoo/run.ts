// `pnpm mutants`: every mutant and every legal server against the stated suite, at both depths; writes docs/matrix.md.
import { writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Job } from "./job.ts";
import type { LegalResult, MutantResult } from "./judge.ts";
import { faultsOf, matrixPage } from "./matrix.ts";
import { mutants } from "./mutants/index.ts";
import { choices } from "./variants/choices.ts";
import { programs } from "./variants/programs.ts";

/** Threads that judge, and servers that each judges at a time: most wait for something now and then. */
const threads = 2;
const atOnce = 4;

async function judgeAll(
  jobs: readonly Job[],
  done: (job: Job, result: MutantResult | LegalResult) => void,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(new URL("worker.ts", import.meta.url));
      await new Promise<void>((resolve, reject) => {
        let running = 0;
        const feed = () => {
          while (running < atOnce && next < jobs.length) {
            running += 1;
            worker.postMessage(jobs[next++]);
          }
          if (running === 0) resolve();
        };
        worker.on("message", ({ job, result }: { job: Job; result: MutantResult | LegalResult }) => {
          running -= 1;
          done(job, result);
          feed();
        });
        worker.on("error", reject);
        feed();
      });
      await worker.terminate();
    }),
  );
}

const began = Date.now();
const only = process.argv[2];
const depths = ["quick", "full"] as const;
const jobsOf = (kind: Job["kind"], all: readonly { readonly id: string }[]): Job[] =>
  all.flatMap(({ id }) => (!only || id.includes(only) ? depths.map((depth) => ({ kind, id, depth })) : []));
const results = new Map<string, MutantResult>();
const legal = new Map<string, LegalResult>();
// The servers that wait are judged first, beside others that do not.
await judgeAll(
  [...jobsOf("program", programs), ...jobsOf("choice", choices), ...jobsOf("mutant", mutants)],
  (job, result) => {
    const key = `${job.id} ${job.depth}`;
    if ("caughtBy" in result) {
      results.set(key, result);
      if (result.caughtBy.length === 0 || result.wrongly.length > 0)
        console.log(
          `✗ ${key}: ${result.caughtBy.join(", ") || "not caught"}${result.wrongly.length > 0 ? `; wrongly ${result.wrongly.map(({ id }) => id).join(", ")}` : ""}`,
        );
    } else {
      legal.set(key, result);
      if (result.verdict !== "conforms") console.log(`✗ ${key}: ${result.verdict}`);
    }
  },
);

const faults = faultsOf(results, legal, only === undefined);
for (const fault of faults) console.error(fault);
if (only === undefined) writeFileSync(new URL("../docs/matrix.md", import.meta.url), matrixPage(results, legal));
const caught = (depth: string) =>
  [...results.values()].filter((result) => result.depth === depth && result.caughtBy.length > 0).length;
const conforming = [...legal.values()].filter(({ verdict }) => verdict === "conforms").length;
console.log(
  `${mutants.length} mutants: ${caught("full")} caught by their clause at full depth, ${caught("quick")} at quick depth. ${conforming} of ${legal.size} runs on legal servers conform. ${faults.length} faults, ${Math.round((Date.now() - began) / 1000)} s`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
