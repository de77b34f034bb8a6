#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from "commander";
import { clausesJson, clausesText } from "./cli/clauses.ts";
import { run } from "./cli/run.ts";
import { sweep } from "./cli/sweep.ts";
import { verify } from "./cli/verify.ts";
import { binding } from "./contract.ts";
import { ConfigurationError } from "./engine/outcome.ts";

const seconds = (text: string): number => {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0)) throw new InvalidArgumentError("It is not a number of seconds.");
  return value;
};
const end = (code: number): void => {
  process.exitCode = code;
};
const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];
const collectNames = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== ""),
];
const plans = ["free", "pro", "team"];

const withKeys = (command: Command) =>
  command
    .option("--developer-key <key>", "a developer's key (or PROJECT_FEEDBACK_DEVELOPER_KEY)")
    .option("--tester-key <key>", "a tester's key (or PROJECT_FEEDBACK_TESTER_KEY)")
    .option(
      "--other-developer-key <key>",
      "a second developer's key, for the reference profile (or PROJECT_FEEDBACK_OTHER_DEVELOPER_KEY)",
    )
    .option("--spare-key <key>", "a key whose allowance the last check uses up (or PROJECT_FEEDBACK_SPARE_KEY)")
    .option("--key-file <path>", "a YAML file with the lines developer: …, tester: …, otherDeveloper: …, spare: …")
    .option("--ledger <folder>", "where the list of what a run makes is kept");

const program = new Command("project-feedback-conformance")
  .description("Judges, clause by clause, whether a deployment conforms to the Project Feedback interface.")
  .version(binding().version)
  .addHelpText(
    "after",
    "\n`run` may be left out. `run --help` lists its options.\nExit codes: 0 conforms, 1 does not conform, 2 could not run, 3 incomplete.",
  )
  .exitOverride();

withKeys(program.command("run", { isDefault: true }).description("Run the suite against a deployment."))
  .requiredOption("--base-url <url>", "address of the deployment, its version included: https://host/v1")
  .addOption(
    new Option(
      "--profile <profile>",
      "judge the stated interface, or also compare with the reference's choices",
    ).choices(["stated", "reference"]),
  )
  .addOption(
    new Option("--depth <depth>", "how much evidence is gathered; by default what the allowances permit").choices([
      "quick",
      "full",
    ]),
  )
  .option("--only <names>", "run these checks, groups or clauses only; separated by commas, repeatable", collectNames)
  .option("--skip <names>", "leave these checks, groups or clauses out; separated by commas, repeatable", collectNames)
  .option("--requirements <set>", "the frozen set of required checks; the latest by default")
  .option("--ca <file>", "trust the certificates of this PEM file too")
  .option("--config <path>", "conformance.yaml, which declares what cannot be known from outside")
  .option("--report <kind=path>", "write a report: json, junit, html, markdown or badge; repeatable", collect)
  .addOption(new Option("--developer-plan <plan>", "plan of the developer's account").choices(plans))
  .addOption(new Option("--tester-plan <plan>", "plan of the tester's account").choices(plans))
  .addOption(new Option("--spare-plan <plan>", "plan of the spare account").choices(plans))
  .option("--tester-id <id>", "id of the tester's account, as testerId shows it")
  .option("--read-only", "send no request that writes")
  .option("--plan", "say what would be run and how many requests it takes, and send nothing")
  .option("--strict", "a difference from the reference is exit code 1 too")
  .option("--max-wait <seconds>", "longest wait for an allowance to be renewed; 3660 by default", seconds)
  .option("--timeout <seconds>", "longest wait for an answer; 15 by default", seconds)
  .action(async (flags) => end(await run(flags)));

withKeys(
  program.command("sweep [run]").description("Delete what a run left behind; without a run, list those that may have."),
)
  .option("--base-url <url>", "address of the deployment; the run's own by default")
  .option("--ca <file>", "trust the certificates of this PEM file too")
  .action(async (name: string | undefined, flags) => end(await sweep(name, flags)));

program
  .command("verify <report>")
  .description("Compute the verdict and the digests of a JSON report again.")
  .action((path: string) => end(verify(path)));

program
  .command("clauses")
  .description("List every clause with the checks that prove it, or why none can prove it.")
  .option("--json", "as JSON")
  .action(({ json }: { json?: boolean }) => void process.stdout.write(json ? clausesJson() : clausesText()));

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed its own errors already; help and version end with 0.
  const { code, exitCode } = error as { code?: string; exitCode?: number };
  if (code?.startsWith("commander.")) process.exitCode = exitCode === 0 ? 0 : 2;
  else {
    const expected = error instanceof ConfigurationError || (error as NodeJS.ErrnoException).syscall !== undefined;
    process.stderr.write(`${expected ? (error as Error).message : (error as Error).stack}\n`);
    process.exitCode = 2;
  }
}
