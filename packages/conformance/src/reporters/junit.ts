import { groupBy } from "../engine/group-by.ts";
import type { CheckResult, Report } from "../engine/report.ts";
import { coverageLine, escaped, shown, wordsOf } from "./text.ts";

/** JUnit's XML: a suite for each area, `failure` for what fails, `error` for what the suite could not do, `skipped` for the rest. */
export function junit(report: Report): string {
  const areas = groupBy(report.checks, ({ id }) => id.split(".")[0] ?? "");
  const suites = Array.from(areas, ([area, checks]) => suite(report, area, checks));
  const attributes = `name="${escaped(`Project Feedback conformance: ${report.verdict} (${coverageLine(report)})`)}" ${totals(report.checks)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n${suites.join("\n")}\n</testsuites>\n`;
}

function suite(report: Report, area: string, checks: readonly CheckResult[]): string {
  const cases = checks.map((check) => testcase(report, check));
  return `  <testsuite name="${escaped(area)}" ${totals(checks)} timestamp="${report.startedAt}">\n${cases.join("\n")}\n  </testsuite>`;
}

function testcase(report: Report, check: CheckResult): string {
  const head = `    <testcase classname="${escaped(`${check.level}.${check.clauses.join(" ")}`)}" name="${escaped(`${check.id}: ${check.title}`)}" time="${check.milliseconds / 1000}"`;
  const inner = outcome(report, check);
  return inner === "" ? `${head}/>` : `${head}>\n      ${inner}\n    </testcase>`;
}

function outcome(report: Report, check: CheckResult): string {
  const message = escaped(check.reason ?? "");
  if (fails(check)) {
    const detail = [
      ...wordsOf(report, check),
      `expected: ${shown(check.expected)}`,
      `seen: ${shown(check.seen)}`,
      "",
      check.script ?? "",
    ];
    return `<failure message="${message}" type="${escaped(check.id)}">${escaped(detail.join("\n"))}</failure>`;
  }
  if (check.status === "harness error") return `<error message="${message}" type="harness"/>`;
  if (check.status === "pass")
    return isStale(check) ? `<failure message="It is listed as a known failure and passes." type="stale"/>` : "";
  return `<skipped message="${escaped(`${check.status}${check.known ? `, known until ${check.known.until}` : ""}: ${check.reason ?? ""}`)}"/>`;
}

const fails = ({ status, known }: CheckResult) => status === "fail" && !known;
const isStale = ({ status, known }: CheckResult) => status === "pass" && known !== undefined;

function totals(checks: readonly CheckResult[]): string {
  const failures = checks.filter((check) => fails(check) || isStale(check)).length;
  const errors = checks.filter(({ status }) => status === "harness error").length;
  const skipped =
    checks.length - failures - errors - checks.filter((check) => check.status === "pass" && !isStale(check)).length;
  const time = checks.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  return `tests="${checks.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${time}"`;
}
