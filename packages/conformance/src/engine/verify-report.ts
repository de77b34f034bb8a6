import { checks as knownChecks } from "../checks/index.ts";
import { binding } from "../contract.ts";
import { latestRequirements, requiredChecks } from "../requirements.ts";
import { complaints, schemaOf } from "../schemas.ts";
import { coverageOf } from "./coverage.ts";
import { canonical, count, digestOf, type Report } from "./report.ts";
import { verdictOf } from "./verdict.ts";

export interface Verification {
  /** What is wrong; empty where the report can be trusted as far as a report can. */
  readonly problems: readonly string[];
  readonly verdict: Report["verdict"] | undefined;
  readonly coverage: Report["coverage"] | undefined;
}

/**
 * Works a report's verdict, counts and digest out again, and holds its suite, contract and checks against those of
 * this installation. It finds a report that was changed or made by another suite. It cannot find one that was made up
 * whole, digest and all: only a run of one's own can.
 */
export function verifyReport(value: unknown): Verification {
  const valid = schemaOf<Report>("report");
  if (!valid(value))
    return {
      problems: complaints(valid).map((complaint) => `It is not a report: ${complaint}.`),
      verdict: undefined,
      coverage: undefined,
    };
  const report = value;
  const problems: string[] = [];
  const own = binding();
  if (report.suite.name !== own.name) problems.push(`It was made by ${report.suite.name}, not by ${own.name}.`);
  if (report.suite.version !== own.version)
    problems.push(
      `It was made by version ${report.suite.version}; this is ${own.version}. Verify it with that version.`,
    );
  if (report.suite.contract !== own.contract)
    problems.push("It was judged by a contract that is not that of this suite.");
  if (report.suite.checks !== own.checks) problems.push("It was judged by checks that are not those of this suite.");
  const listed = new Map(report.checks.map((check) => [check.id, check]));
  const expected = requiredOf(report).filter(({ level }) => level === "stated" || report.profile === "reference");
  for (const { id, level, clauses } of expected) {
    const check = listed.get(id);
    if (!check) problems.push(`The check ${id} is missing.`);
    else if (check.level !== level || check.clauses.join() !== clauses.join())
      problems.push(`The check ${id} has another level or other clauses.`);
  }
  if (listed.size !== report.checks.length) problems.push("A check is listed twice.");
  const stale = report.checks.filter((check) => check.known && check.status === "pass").map(({ id }) => id);
  if (stale.join() !== report.stale.join()) problems.push("Its stale entries are not those of its checks.");
  const { verdict } = verdictOf(report.checks, stale);
  if (verdict !== report.verdict) problems.push(`Its checks come to "${verdict}", not to "${report.verdict}".`);
  const coverage = coverageOf(report.checks);
  if (canonical(coverage) !== canonical(report.coverage)) problems.push("Its coverage is not that of its checks.");
  if (JSON.stringify(count(report.checks)) !== JSON.stringify(report.counts))
    problems.push("Its counts are not those of its checks.");
  for (const [payer, told] of Object.entries(report.requests)) {
    const seen = report.exchanges.filter((exchange) => exchange.payer === payer).length;
    if (seen !== told) problems.push(`It counts ${told} requests of the ${payer} and shows ${seen}.`);
  }
  const numbers = new Set(report.exchanges.map(({ number }) => number));
  const restsOn = report.checks.flatMap(({ exchanges }) => exchanges);
  if (restsOn.some((number) => !numbers.has(number))) problems.push("A check rests on an exchange that is not there.");
  if (digestOf(report) !== report.digest) problems.push("Its digest is not that of its content: it was changed.");
  return { problems, verdict, coverage };
}

/** The checks that a report must list. An unknown set is told as missing checks would be. */
function requiredOf({ requirements }: Report): typeof knownChecks {
  return requirements === latestRequirements ? knownChecks : requiredChecks(requirements, knownChecks);
}
