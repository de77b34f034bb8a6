import { unseen } from "../checks/index.ts";
import { binding, clauses } from "../contract.ts";
import { type ConformanceOptions, declaredIn } from "../options.ts";
import { latestRequirements } from "../requirements.ts";
import { coverageOf } from "./coverage.ts";
import { type Exchange, published } from "./exchange.ts";
import { payers } from "./plan.ts";
import type { Redactor } from "./redactor.ts";
import { type CheckResult, type ClauseResult, count, digestOf, type Report } from "./report.ts";
import type { Depth, Payer } from "./terms.ts";
import { verdictOf } from "./verdict.ts";

export interface Outcome {
  readonly run: string;
  readonly baseUrl: string;
  readonly options: ConformanceOptions;
  readonly depth: Depth;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly results: readonly CheckResult[];
  readonly planned: Readonly<Record<Payer, number>>;
  readonly leftBehind: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly redactor: Redactor;
}

/** The report on a run. */
export function reportOf(outcome: Outcome): Report {
  const { run, baseUrl, options, depth, started, results, planned, leftBehind, exchanges, redactor } = outcome;
  const stale = results.filter((check) => check.known && check.status === "pass").map(({ id }) => id);
  const { verdict, reasons } = verdictOf(results, stale);
  const spent = (payer: Payer) => exchanges.filter((exchange) => exchange.payer === payer).length;
  const content: Omit<Report, "digest"> = {
    suite: binding(),
    run,
    baseUrl,
    profile: options.profile ?? "stated",
    mode: options.readOnly ? "read-only" : "full",
    depth,
    requirements: options.requirements ?? latestRequirements,
    declared: redactor.redactValue(declaredIn(options)) as Report["declared"],
    startedAt: new Date(started).toISOString(),
    milliseconds: Date.now() - started,
    verdict,
    reasons,
    coverage: coverageOf(results),
    counts: count(results),
    requests: Object.fromEntries(payers.map((payer) => [payer, spent(payer)])) as Record<Payer, number>,
    planned,
    checks: results,
    clauses: clauseResults(results),
    stale,
    leftBehind,
    exchanges: exchanges.map((exchange) => published(exchange, redactor.redact)),
  };
  // Once through JSON: what cannot be written there must not be in the digest either.
  const plain: Omit<Report, "digest"> = JSON.parse(JSON.stringify(content));
  return { ...plain, digest: digestOf(plain) };
}

function clauseResults(results: readonly CheckResult[]): ClauseResult[] {
  return clauses.map(({ id, level, text }) => {
    const own = results.filter((result) => result.clauses.includes(id));
    const statuses = new Set(own.map(({ status }) => status));
    const status = statuses.has("fail")
      ? "broken"
      : statuses.has("differs")
        ? "differs"
        : statuses.has("pass")
          ? "holds"
          : "not shown";
    const reason = unseen[id];
    const checks = own.map((result) => result.id);
    return { id, level, text, checks, ...(reason === undefined ? {} : { unseen: reason }), status };
  });
}
