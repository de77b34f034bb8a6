import { writeFileSync } from "node:fs";
import { readConfiguration } from "../configuration.ts";
import { ConfigurationError } from "../engine/outcome.ts";
import { costOf } from "../engine/plan.ts";
import { planFor, runConformance } from "../engine/run.ts";
import { exitCodes } from "../engine/verdict.ts";
import type { ConformanceOptions, Plan } from "../options.ts";
import { ConsoleReporter, planText } from "../reporters/console.ts";
import { type ReportKind, reportKinds, written } from "../reporters/index.ts";
import { type KeyFlags, readKeys } from "./keys.ts";

export interface RunFlags extends KeyFlags {
  readonly baseUrl: string;
  readonly profile?: "stated" | "reference";
  readonly config?: string;
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

/** Runs the suite, or says what it would run; answers the exit code. */
export async function run(flags: RunFlags): Promise<number> {
  const reports = (flags.report ?? []).map(destination);
  const options = optionsOf(flags);
  const planned = planFor(options);
  if (flags.plan) {
    process.stdout.write(planText(planned, costOf(planned)));
    return 0;
  }
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const console = new ConsoleReporter(process.stdout, { color: process.stdout.isTTY && !process.env.NO_COLOR });
  const report = await runConformance({ ...options, signal: interruption.signal, onEvent: console.tell });
  for (const { kind, path } of reports) writeFileSync(path, written(kind, report));
  process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  const differs = flags.strict && report.counts.chosen.differs > 0;
  return report.verdict === "conforms" && differs ? 1 : exitCodes[report.verdict];
}

function optionsOf(flags: RunFlags): ConformanceOptions {
  const { baseUrl, config, profile, readOnly, maxWait, timeout, ledger, testerId } = flags;
  const deployment = config === undefined ? {} : readConfiguration(config);
  const { developerPlan, testerPlan, sparePlan } = flags;
  const plans = {
    ...deployment.plans,
    ...(developerPlan && { developer: developerPlan }),
    ...(testerPlan && { tester: testerPlan }),
    ...(sparePlan && { spare: sparePlan }),
  };
  return {
    // The reference makes a draft in its own way; a deployment that is compared with it is asked in that way.
    ...(profile === "reference" ? { draft: { fields: { status: "draft" } } } : {}),
    ...deployment,
    plans,
    baseUrl,
    keys: flags.plan ? planningKeys(flags) : readKeys(flags, process.env),
    ...(profile === undefined ? {} : { profile }),
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(maxWait === undefined ? {} : { maxWait }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(testerId === undefined ? {} : { testerId }),
  };
}

/** A plan sends nothing, so that it needs no keys; those that are given say which checks can be run. */
function planningKeys(flags: RunFlags): ConformanceOptions["keys"] {
  const { developer, tester, ...more } = readKeys(flags, process.env, []);
  return { developer: developer || "developer", tester: tester || "tester", ...more };
}

/** `html=report.html` → where to write what. */
function destination(text: string): { kind: ReportKind; path: string } {
  const [, kind, path] = /^(\w+)=(.+)$/.exec(text) ?? [];
  const known = reportKinds.find((one) => one === kind);
  if (known && path) return { kind: known, path };
  throw new ConfigurationError(
    `"${text}" is no report. Write KIND=PATH, where KIND is one of ${reportKinds.join(", ")}.`,
  );
}
