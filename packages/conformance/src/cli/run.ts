import { accessSync, constants, existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readConfiguration } from "../configuration.ts";
import { ConfigurationError } from "../engine/outcome.ts";
import { costOf } from "../engine/plan.ts";
import { planFor, runConformance } from "../engine/run.ts";
import type { Depth } from "../engine/terms.ts";
import { exitCodes } from "../engine/verdict.ts";
import type { ConformanceOptions, Plan } from "../options.ts";
import { ConsoleReporter, planText } from "../reporters/console.ts";
import { type ReportKind, reportKinds, written } from "../reporters/index.ts";
import { type KeyFlags, readKeys } from "./keys.ts";
import { fetchWith } from "./network.ts";

export interface RunFlags extends KeyFlags {
  readonly baseUrl: string;
  readonly profile?: "stated" | "reference";
  readonly depth?: Depth;
  readonly requirements?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly config?: string;
  readonly ca?: string;
  readonly report?: readonly string[];
  readonly developerPlan?: Plan;
  readonly testerPlan?: Plan;
  readonly sparePlan?: Plan;
  readonly testerId?: string;
  readonly readOnly?: boolean;
  readonly plan?: boolean;
  readonly strict?: boolean;
  readonly maxWait?: number;
  readonly timeout?: number;
  readonly ledger?: string;
}

interface Destination {
  readonly kind: ReportKind;
  readonly path: string;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs the suite, or says what it would run; returns the exit code. */
export async function run(flags: RunFlags): Promise<number> {
  const reports = (flags.report ?? []).map(destination);
  const options = optionsOf(flags);
  const planned = planFor(options);
  if (flags.plan) {
    const depths = flags.depth ? [flags.depth] : (["quick", "full"] as const);
    const costs = Object.fromEntries(depths.map((depth) => [depth, costOf(planned, depth)]));
    process.stdout.write(planText(planned, costs));
    return 0;
  }
  for (const report of reports) checkWritable(report);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const signal of signals) process.on(signal, interrupt);
  const console = new ConsoleReporter(process.stdout, { color: process.stdout.isTTY && !process.env.NO_COLOR });
  const fetch = fetchWith(flags.ca);
  const report = await runConformance({ ...options, fetch, signal: interruption.signal, onEvent: console.tell });
  for (const { kind, path } of reports) writeFileSync(path, written(kind, report));
  for (const signal of signals) process.off(signal, interrupt);
  const differs = flags.strict && report.counts.chosen.differs > 0;
  return report.verdict === "conforms" && differs ? 1 : exitCodes[report.verdict];
}

function optionsOf(flags: RunFlags): ConformanceOptions {
  const { baseUrl, config, profile, depth, requirements, only, skip, readOnly, maxWait, timeout, ledger, testerId } =
    flags;
  const deployment = config === undefined ? {} : readConfiguration(config);
  const { developerPlan, testerPlan, sparePlan } = flags;
  const plans = {
    ...deployment.plans,
    ...(developerPlan && { developer: developerPlan }),
    ...(testerPlan && { tester: testerPlan }),
    ...(sparePlan && { spare: sparePlan }),
  };
  const given = { profile, depth, requirements, only, skip, readOnly, maxWait, timeout, ledger, testerId };
  return {
    // The reference creates a draft in its own way; a deployment that is compared with it is asked in that way.
    ...(profile === "reference" ? { draft: { fields: { status: "draft" } } } : {}),
    ...deployment,
    ...(Object.keys(plans).length > 0 ? { plans } : {}),
    baseUrl,
    keys: flags.plan ? planningKeys(flags) : readKeys(flags, process.env),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

/** A plan sends nothing, so that it needs no keys; those that are given say which checks can be run. */
function planningKeys(flags: RunFlags): ConformanceOptions["keys"] {
  const { developer, tester, ...more } = readKeys(flags, process.env, []);
  return { developer: developer || "developer", tester: tester || "tester", ...more };
}

/** `html=report.html` → where to write what. */
function destination(text: string): Destination {
  const [, kind, path] = /^(\w+)=(.+)$/.exec(text) ?? [];
  const known = reportKinds.find((one) => one === kind);
  if (known && path) return { kind: known, path };
  throw new ConfigurationError(
    `"${text}" is no report. Write KIND=PATH, where KIND is one of ${reportKinds.join(", ")}.`,
  );
}

/** @throws ConfigurationError where a report cannot be written, before anything is sent */
function checkWritable({ kind, path }: Destination): void {
  const folder = dirname(resolve(path));
  const why = !existsSync(folder)
    ? `the folder ${folder} does not exist`
    : existsSync(path) && statSync(path).isDirectory()
      ? "it is a folder"
      : writable(existsSync(path) ? path : folder)
        ? undefined
        : "it may not be written";
  if (why)
    throw new ConfigurationError(`The ${kind} report cannot be written to ${path}: ${why}. Choose another path.`);
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
