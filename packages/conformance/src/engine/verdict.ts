import type { CheckResult, Verdict } from "./report.ts";

/** Exit codes of the command line. */
export const exitCodes: Readonly<Record<Verdict, 0 | 1 | 2>> = {
  conforms: 0,
  "does not conform": 1,
  "could not run": 2,
};

/**
 * The verdict on a run, from its checks alone, so that it can be worked out again from a report. A failure that was
 * seen stands, whatever else could not be seen; without one, whatever kept a stated check from running keeps the
 * verdict from being "conforms". A check the deployment gives no means for is no failure and no pass.
 */
export function verdictOf(
  checks: readonly CheckResult[],
  stale: readonly string[],
): { verdict: Verdict; reasons: string[] } {
  const stated = checks.filter(({ level }) => level === "stated");
  const failed = stated.filter(({ status, known }) => status === "fail" && !known).map(({ id }) => `${id} failed.`);
  const outdated = stale.map((id) => `${id} is listed as a known failure and passes: take it off the list.`);
  if (failed.length + outdated.length > 0) return { verdict: "does not conform", reasons: [...failed, ...outdated] };

  const errors = checks.filter(({ status }) => status === "harness error").map(({ id, reason }) => `${id}: ${reason}`);
  const unmet = stated.filter((check) => check.unmet).map(({ id, reason }) => `${id} could not be run. ${reason}`);
  const excused = stated.some(({ known, status }) => known && status === "fail");
  const hindered = [...errors, ...(excused ? [] : unmet)];
  if (hindered.length > 0) return { verdict: "could not run", reasons: hindered };

  const executed = stated.filter(({ status }) => status === "pass" || status === "fail");
  if (executed.length === 0) return { verdict: "could not run", reasons: ["No stated check was executed."] };
  return { verdict: "conforms", reasons: [`${executed.length} stated checks were executed and none failed.`] };
}
