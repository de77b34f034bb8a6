import { createHash } from "node:crypto";
import type { Binding } from "../contract.ts";
import type { PublishedExchange } from "./exchange.ts";
import type { Depth, Group, Level, Payer } from "./terms.ts";

export type Verdict = "conforms" | "does not conform" | "incomplete" | "could not run";

/** `pass` alone says that something holds. `differs` is a chosen check that does not: no failure. */
export type Status = "pass" | "fail" | "differs" | "not applicable" | "not testable" | "harness error";

export const statuses: readonly Status[] = [
  "pass",
  "fail",
  "differs",
  "not applicable",
  "not testable",
  "harness error",
];

/** What became of one check. */
export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly group: Group;
  readonly level: Level;
  readonly status: Status;
  /** Why it is not a pass, in a sentence. */
  readonly reason?: string;
  readonly expected?: unknown;
  readonly seen?: unknown;
  /** The failure does not count until this day. */
  readonly known?: { readonly reason: string; readonly until: string };
  /** It could not run because something it builds on failed. */
  readonly unmet?: boolean;
  /** What would make it testable, where it could not run. */
  readonly remedy?: string;
  /** Only the partner can make it testable, and did not declare this: the check is not required. */
  readonly undeclared?: string;
  readonly milliseconds: number;
  /** Numbers of the exchanges it rests on, those of its evidence among them. */
  readonly exchanges: readonly number[];
  /** The chain of its requests as a shell script, for what is not a pass. */
  readonly script?: string;
}

/** A cause that kept required checks from running, reported once for all of them. */
export interface Missing {
  readonly cause: string;
  /** What would make the checks testable. */
  readonly remedy: string;
  readonly checks: readonly string[];
}

/** How much of the interface a run judged. */
export interface Coverage {
  /** Stated checks that were run. */
  readonly ran: number;
  /** All stated checks. */
  readonly stated: number;
  /** What was left out because only the partner can make it testable. It does not keep a run from conforming. */
  readonly undeclared: readonly string[];
  /** Why required checks did not run. */
  readonly missing: readonly Missing[];
}

/** A clause with what became of it. */
export interface ClauseResult {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  readonly checks: readonly string[];
  /** Why it cannot be seen from outside, where no check proves it. */
  readonly unseen?: string;
  readonly status: "holds" | "broken" | "differs" | "not shown";
}

/** A whole run. Its JSON form is described by schema/report.schema.json. */
export interface Report {
  readonly suite: Binding;
  readonly run: string;
  readonly baseUrl: string;
  readonly profile: "stated" | "reference";
  readonly mode: "full" | "read-only";
  /** How much evidence was gathered. */
  readonly depth: Depth;
  /** The frozen set of required checks by which the run was judged. */
  readonly requirements: string;
  /** What the partner declared in the configuration. */
  readonly declared: Readonly<Record<string, unknown>>;
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly verdict: Verdict;
  /** Why the verdict is what it is. */
  readonly reasons: readonly string[];
  readonly coverage: Coverage;
  readonly counts: Readonly<Record<Level, Readonly<Record<Status, number>>>>;
  /** Requests that were made, and at most were to be made, by whose allowance they drew on. */
  readonly requests: Readonly<Record<Payer, number>>;
  readonly planned: Readonly<Record<Payer, number>>;
  readonly checks: readonly CheckResult[];
  readonly clauses: readonly ClauseResult[];
  /** Checks that are listed as known failures and pass. */
  readonly stale: readonly string[];
  /** Ids of records that could not be deleted. */
  readonly leftBehind: readonly string[];
  readonly exchanges: readonly PublishedExchange[];
  /** SHA-256 of everything above, as canonical JSON. */
  readonly digest: string;
}

/** JSON with the keys of every object in order and no white space, so that equal values have equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** The digest that a report with this content carries. */
export function digestOf({ digest: _, ...content }: Omit<Report, "digest"> & { digest?: string }): string {
  return `sha256:${createHash("sha256").update(canonical(content)).digest("hex")}`;
}

/** Number of checks in each status, by level. */
export function count(checks: readonly CheckResult[]): Report["counts"] {
  const tally = (level: Level) => {
    const of = (status: Status) => checks.filter((check) => check.level === level && check.status === status).length;
    return Object.fromEntries(statuses.map((status) => [status, of(status)])) as Record<Status, number>;
  };
  return { stated: tally("stated"), chosen: tally("chosen") };
}
