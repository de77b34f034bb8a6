import { groupBy } from "./group-by.ts";
import type { CheckResult, Coverage } from "./report.ts";

const executed = ({ status }: CheckResult): boolean => status === "pass" || status === "fail";

/** The coverage that the results of a run come to. */
export function coverageOf(checks: readonly CheckResult[]): Coverage {
  const stated = checks.filter(({ level }) => level === "stated");
  const left = stated.filter((check) => !executed(check));
  const required = left.filter(({ status, undeclared }) => status !== "not applicable" && undeclared === undefined);
  const undeclared = left.flatMap(
    (check) => check.undeclared ?? (check.status === "not applicable" ? [`${check.id} does not apply`] : []),
  );
  // What a known failure blocks is excused with it.
  const excused = stated.some(({ known, status }) => known !== undefined && status === "fail");
  const causes = groupBy(
    required.filter(({ unmet }) => !(excused && unmet)),
    ({ reason }) => reason ?? "",
  );
  return {
    ran: stated.filter(executed).length,
    stated: stated.length,
    undeclared: [...new Set(undeclared)],
    missing: Array.from(causes, ([cause, blocked]) => ({
      cause,
      remedy: blocked.find(({ remedy }) => remedy !== undefined)?.remedy ?? "Mend this first, then run again.",
      checks: blocked.map(({ id }) => id),
    })),
  };
}

/** `78 of 80 stated checks; drafts not declared`. */
export function coverageText({ ran, stated, undeclared }: Coverage): string {
  return [`${ran} of ${stated} stated checks`, ...undeclared].join("; ");
}
