import type { CheckResult, Report } from "../src/engine/report.ts";
import { runConformance } from "../src/engine/run.ts";
import type { ConformanceOptions } from "../src/options.ts";
import type { Mutant } from "./mutants/mutant.ts";
import type { Reference, Served } from "./reference.ts";
import { askAt, distorted } from "./wire.ts";

/** What became of one mutant. */
export interface Trial {
  readonly mutant: Mutant;
  /** Stated checks that failed. */
  readonly failed: readonly CheckResult[];
  /** Those of a clause that it breaks: empty where it got away. */
  readonly rightly: readonly CheckResult[];
  /** Those of no such clause: red for the wrong reason. */
  readonly wrongly: readonly CheckResult[];
  /** Checks that could not be run, which are neither. */
  readonly silenced: number;
  readonly verdict: Report["verdict"];
}

/** Runs the stated suite against the reference made wrong in one way. */
export async function tryMutant(reference: Reference, right: Served, mutant: Mutant): Promise<Trial> {
  const served = mutant.alter ? await reference.serve(mutant.alter()) : right;
  try {
    const report = await runConformance(await optionsFor(reference, served, mutant));
    const failed = report.checks.filter(({ status, level }) => status === "fail" && level === "stated");
    const related = (check: CheckResult) => check.clauses.some((clause) => mutant.breaks.includes(clause));
    return {
      mutant,
      failed,
      rightly: failed.filter(related),
      wrongly: failed.filter((check) => !related(check)),
      silenced: report.checks.filter(({ unmet, status }) => unmet || status === "harness error").length,
      verdict: report.verdict,
    };
  } finally {
    if (served !== right) await served.stop();
  }
}

/** A deployment that says how a draft is made, as ours does. */
async function optionsFor(reference: Reference, served: Served, mutant: Mutant): Promise<ConformanceOptions> {
  const { keys, ...given } = await reference.keys();
  // Using up an allowance takes a hundred requests, which only what is wrong with allowances can show.
  const { spare: _, ...sparing } = keys;
  const about = mutant.breaks.some((clause) => clause.startsWith("S-RATE"));
  const baseUrl = new URL(mutant.servedAt ?? "/v1", served.baseUrl).href;
  const ask = askAt(served.baseUrl);
  const fetch = distorted(baseUrl, mutant.distort ? mutant.distort(ask, keys) : ask);
  return {
    baseUrl,
    keys: about ? keys : sparing,
    ...given,
    fetch,
    draft: { fields: { status: "draft" } },
    ledger: false,
    maxWait: 0,
    timeout: 5,
  };
}
