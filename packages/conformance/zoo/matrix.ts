import { checks } from "../src/checks/index.ts";
import type { Report } from "../src/engine/report.ts";
import type { Trial } from "./trial.ts";
import type { Variant } from "./variants/variant.ts";

export interface VariantTrial {
  readonly variant: Variant;
  readonly report: Report;
}

const stated = checks.filter(({ level }) => level === "stated");

/** Everything that is not as it must be; empty when the suite may judge others. */
export function faultsOf(trials: readonly Trial[], variants: readonly VariantTrial[]): string[] {
  const killed = new Set(trials.flatMap(({ rightly }) => rightly.map(({ id }) => id)));
  return [
    ...trials.flatMap(({ mutant, rightly, wrongly }) => [
      ...(rightly.length === 0 ? [`The mutant ${mutant.id} gets away with breaking ${mutant.breaks.join(", ")}.`] : []),
      ...wrongly.map(({ id, reason }) => `The mutant ${mutant.id} fails ${id}, which is of another clause: ${reason}`),
    ]),
    ...stated.filter(({ id }) => !killed.has(id)).map(({ id }) => `The check ${id} catches no mutant.`),
    ...variants.flatMap(({ variant, report }) => [
      ...report.checks.flatMap(({ id, level, status, reason }) =>
        level === "stated" && (status === "fail" || status === "harness error")
          ? [`The variant ${variant.id} is legal and comes to "${status}" in ${id}: ${reason}`]
          : [],
      ),
      ...(report.verdict === "conforms"
        ? []
        : [`The variant ${variant.id} is legal and comes to "${report.verdict}".`]),
    ]),
  ];
}

/** The matrix as a page of the docs: no times and no order of chance, so that it changes when its meaning does. */
export function page(trials: readonly Trial[], variants: readonly VariantTrial[]): string {
  const killers = (id: string) =>
    trials.filter(({ rightly }) => rightly.some((check) => check.id === id)).map(({ mutant }) => mutant.id);
  return `# Who judges the judge

Written by \`pnpm mutants\`. ${trials.length} servers are broken on purpose, each in one way; ${variants.length} are legal and choose otherwise.
A mutant must be caught by a check of a clause it breaks, and by no check of another; a check must catch a mutant; no
variant may fail.

## Mutants

${table(
  ["mutant", "what is wrong", "breaks", "caught by"],
  trials.map(({ mutant, rightly }) => [
    mutant.id,
    mutant.says,
    mutant.breaks.join(", "),
    rightly.map(({ id }) => id).join(", "),
  ]),
)}

## Checks

${table(
  ["check", "clauses", "mutants caught"],
  stated.map(({ id, clauses }) => [
    id,
    clauses.join(", "),
    `${killers(id).length}: ${killers(id).slice(0, 8).join(", ")}${killers(id).length > 8 ? ", …" : ""}`,
  ]),
)}

## Variants

${table(
  ["variant", "what it chooses", "verdict", "stated checks passed", "not testable"],
  variants.map(({ variant, report }) => [
    variant.id,
    variant.says,
    report.verdict,
    String(report.counts.stated.pass),
    String(report.counts.stated["not testable"]),
  ]),
)}
`;
}

/** A table of Markdown as the formatter writes it: every column as wide as its widest cell. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
