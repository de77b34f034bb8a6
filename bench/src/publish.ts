// `pnpm bench:publish`: makes a run the published one, in bench/results and in the README.

import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Argument, Command } from "commander";
import { dataFolder } from "./database.ts";
import { writeSection } from "./marked-section.ts";
import { writeReport } from "./report.ts";
import type { Results } from "./results.ts";
import { runProgram } from "./run-program.ts";
import { summaryOf } from "./summary.ts";

const readme = fileURLToPath(new URL("../README.md", import.meta.url));
const published = fileURLToPath(new URL("../results/", import.meta.url));

const program = new Command("bench:publish")
  .description("Writes tables, charts and the README's results from the results.json of a run.")
  .addArgument(new Argument("[folder]", "the folder of the run").default(join(dataFolder, "results"), "the last run"))
  .action(async (folder: string) => {
    const results = JSON.parse(readFileSync(join(resolve(folder), "results.json"), "utf8")) as Results;
    mkdirSync(published, { recursive: true });
    await writeReport(results, published);
    writeSection(readme, "results", summaryOf(results));
    console.log(`Published the run of ${results.at} in bench/results and bench/README.md.`);
  });

await runProgram(program);
