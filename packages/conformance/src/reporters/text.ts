import { coverageText } from "../engine/coverage.ts";
import type { CheckResult, Report, Status } from "../engine/report.ts";

/** What XML 1.0 does not have: most control characters, and halves of surrogate pairs. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Text that is safe in HTML and XML, in elements and in quoted attributes; characters that XML does not have are left out. */
export function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(notInXml, "").replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A value for people. */
export const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** The words of a check's clauses. */
export function wordsOf(report: Report, check: CheckResult): string[] {
  return check.clauses.map((id) => `${id}: ${report.clauses.find((clause) => clause.id === id)?.text ?? ""}`);
}

/** `45 pass, 1 fail`, without what there is none of. */
export function tally(counts: Readonly<Record<Status, number>>): string {
  return (
    Object.entries(counts)
      .flatMap(([status, number]) => (number > 0 ? [`${number} ${status}`] : []))
      .join(", ") || "none"
  );
}

/** The verdict with what qualifies it. */
export function verdictText({ verdict, mode, checks, leftBehind }: Report): string {
  const known = checks.filter((check) => check.known && check.status === "fail").length;
  const notes = [
    ...(mode === "read-only" ? ["read-only"] : []),
    ...(leftBehind.length > 0 ? ["clean-up incomplete"] : []),
    ...(known > 0 ? [`${known} known failure${known > 1 ? "s" : ""}`] : []),
  ];
  return notes.length > 0 ? `${verdict} (${notes.join(", ")})` : verdict;
}

/** The depth of a run and how much of the interface it judged: `78 of 80 stated checks; drafts not declared`. */
export const coverageLine = ({ coverage, depth }: Report): string => `${coverageText(coverage)}, ${depth} depth`;

/** What the partner did not declare, with what to do about it. */
export function undeclaredText({ checks }: Report): string[] {
  const lines = checks.flatMap(({ undeclared, remedy }) => (undeclared && remedy ? [`${undeclared}: ${remedy}`] : []));
  return [...new Set(lines)];
}

/** What the partner declared, in one line; empty where nothing is. */
export const declaredText = ({ declared }: Report): string =>
  Object.keys(declared).length === 0 ? "" : JSON.stringify(declared);
