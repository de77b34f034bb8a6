import { coverageOf } from "./coverage.ts";
import type { CheckResult, Verdict } from "./report.ts";

/** Exit codes of the command line. */
export const exitCodes: Readonly<Record<Verdict, 0 | 1 | 2 | 3>> = {
  conforms: 0,
  "does not conform": 1,
  "could not run": 2,
  incomplete: 3,
};

/**
 * The verdict on a run, from its checks alone, so that it can be computed again from a report. A failure decides,
 * whatever else could not be judged. Without a failure, a required check that did not run keeps the verdict from being
 * `conforms`. Checks that only the partner can make testable are not required.
 */
export function verdictOf(
  checks: readonly CheckResult[],
  stale: readonly string[],
): { verdict: Verdict; reasons: string[] } {
  const stated = checks.filter(({ level }) => level === "stated");
  const failed = stated.filter(({ status, known }) => status === "fail" && !known).map(({ id }) => `${id} failed.`);
  const outdated = stale.map((id) => `${id} is listed as a known failure and passes. Remove it from the list.`);
  if (failed.length + outdated.length > 0) return { verdict: "does not conform", reasons: [...failed, ...outdated] };

  const errors = checks.filter(({ status }) => status === "harness error").map(({ reason }) => reason ?? "");
  if (errors.length > 0) return { verdict: "could not run", reasons: [...new Set(errors)] };

  const { ran, missing } = coverageOf(checks);
  if (ran === 0 && missing.length === 0) return { verdict: "could not run", reasons: ["No stated check was run."] };
  if (missing.length > 0) {
    const reasons = missing.map(
      ({ cause, remedy, checks: blocked }) =>
        `${blocked.length} ${blocked.length === 1 ? "check" : "checks"} could not run. ${cause} ${remedy}`,
    );
    return { verdict: "incomplete", reasons };
  }
  return { verdict: "conforms", reasons: [`${ran} stated checks ran and none failed.`] };
}
