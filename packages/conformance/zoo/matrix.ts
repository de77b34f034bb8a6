import { checks } from "../src/checks/index.ts";
import { coverageText } from "../src/engine/coverage.ts";
import { allCells, type Cell, liesIn } from "./cells.ts";
import type { LegalResult, MutantResult } from "./judge.ts";
import { mutants } from "./mutants/index.ts";
import { choices } from "./variants/choices.ts";
import { programs } from "./variants/programs.ts";

type Results = ReadonlyMap<string, MutantResult>;
type Legal = ReadonlyMap<string, LegalResult>;

/** The part of all mutants that must be caught at quick depth. */
const leastAtQuickDepth = 0.85;

/** Requests of one key that a run makes at most. */
const most = { quick: 95, full: 400 } as const;

const stated = checks.filter(({ level }) => level === "stated");
const caughtBy = (results: Results, id: string, depth: "quick" | "full") =>
  results.get(`${id} ${depth}`)?.caughtBy ?? [];

/** Everything that is not as it must be; empty when the suite may judge others. */
export function faultsOf(results: Results, legal: Legal, all: boolean): string[] {
  const runs = [...results.values()];
  const quick = runs.filter(({ depth }) => depth === "quick");
  const caught = quick.filter((run) => run.caughtBy.length > 0).length;
  const killers = new Set(runs.flatMap((run) => run.caughtBy));
  return [
    ...runs.flatMap(({ id, depth, caughtBy: own, wrongly }) => [
      ...(own.length === 0 && depth === "full" ? [`The mutant ${id} is not caught by a check of its clause.`] : []),
      ...wrongly.map(
        (check) => `The mutant ${id} fails ${check.id} (${depth}), which is of another clause: ${check.reason}`,
      ),
    ]),
    ...(all && caught < quick.length * leastAtQuickDepth
      ? [`Quick depth catches only ${caught} of ${quick.length} mutants.`]
      : []),
    ...(all ? stated.filter(({ id }) => !killers.has(id)).map(({ id }) => `The check ${id} catches no mutant.`) : []),
    ...[...legal.values()].flatMap(({ id, depth, verdict, failed, requests }) => [
      ...failed.map((reason) => `The legal server ${id} fails (${depth}): ${reason}`),
      ...(verdict === "conforms" ? [] : [`The legal server ${id} comes to "${verdict}" (${depth}).`]),
      ...(["developer", "tester"] as const).flatMap((key) =>
        requests[key] > most[depth]
          ? [`The legal server ${id} took ${requests[key]} requests of the ${key} (${depth}).`]
          : [],
      ),
    ]),
  ];
}

/** The matrix as a page of the docs. It holds no times and no random order, so that it changes when its meaning does. */
export function matrixPage(results: Results, legal: Legal): string {
  const killed = (id: string) =>
    mutants.filter((mutant) => caughtBy(results, mutant.id, "full").includes(id)).map(({ id: name }) => name);
  const missedAtQuick = mutants.filter(({ id }) => caughtBy(results, id, "quick").length === 0).map(({ id }) => id);
  const atQuick = mutants.length - missedAtQuick.length;
  return `# The suite, judged

Written by \`pnpm mutants\`. ${mutants.length} servers have one defect each, and ${choices.length + programs.length} servers are legal and make other choices.
A check of a clause that the defect breaks must fail, and no check of another clause. Every check must catch a
mutant. Every legal server must conform, at both depths.

At full depth ${mutants.filter(({ id }) => caughtBy(results, id, "full").length > 0).length} mutants are caught, at quick depth ${atQuick}. Not caught at quick depth: ${missedAtQuick.join(", ") || "none"}.

## Cells

A clause holds for every operation, role and parameter that the interface names. For each of these cells, the number of
mutants that break the clause there and are caught.

${cellTables(results)}

## Mutants

${table(
  ["mutant", "defect", "clauses", "caught by", "quick"],
  mutants.map(({ id, description, breaks }) => [
    id,
    description,
    breaks.join(", "),
    few(caughtBy(results, id, "full")),
    caughtBy(results, id, "quick").length > 0 ? "yes" : "no",
  ]),
)}

## Checks

${table(
  ["check", "clauses", "mutants caught"],
  stated.map(({ id, clauses }) => [id, clauses.join(", "), `${killed(id).length}: ${few(killed(id))}`]),
)}

## Legal servers

${table(
  ["server", "choice", "language", "coverage at quick depth"],
  [
    ...choices.map((one) => [one.id, one.description, "TypeScript", coverage(legal, one.id)]),
    ...programs.map((one) => [one.id, one.description, "Python", coverage(legal, one.id)]),
  ],
)}
`;
}

const few = (names: readonly string[]) => `${names.slice(0, 4).join(", ")}${names.length > 4 ? ", …" : ""}`;

const coverage = (legal: Legal, id: string): string => {
  const result = legal.get(`${id} quick`);
  return result ? coverageText(result.coverage) : "";
};

/** A table for each clause: operations and roles in rows, parameters in columns. */
function cellTables(results: Results): string {
  const counts = allCells.map((cell) => ({ cell, count: covering(results, cell) }));
  const clauses = [...new Set(allCells.map(({ clause }) => clause))];
  const uncovered = counts.filter(({ count }) => count === 0).map(({ cell }) => cell);
  const tables = clauses.map((clause) => {
    const own = counts.filter(({ cell }) => cell.clause === clause);
    const parameters = [...new Set(own.map(({ cell }) => cell.parameter))];
    const rows = [...new Set(own.map(({ cell }) => `${cell.operation} by ${cell.role}`))];
    const count = (row: string, parameter: string) =>
      own.find(({ cell }) => `${cell.operation} by ${cell.role}` === row && cell.parameter === parameter)?.count;
    return `### ${clause}\n\n${table(
      ["operation", ...parameters.map((parameter) => parameter || "no parameter")],
      rows.map((row) => [row, ...parameters.map((parameter) => String(count(row, parameter) ?? ""))]),
    )}`;
  });
  const list = uncovered.map(({ clause, operation, role, parameter }) =>
    `${clause} ${operation} ${role} ${parameter}`.trim(),
  );
  return `${counts.length - uncovered.length} of ${counts.length} cells are covered. Not covered: ${list.join("; ") || "none"}.\n\n${tables.join("\n\n")}`;
}

/** Mutants that break the clause of a cell in that cell, and are caught. */
function covering(results: Results, cell: Cell): number {
  return mutants.filter(({ id, breaks }) => {
    const result = results.get(`${id} full`);
    return (
      breaks[0] === cell.clause && result && result.caughtBy.length > 0 && result.cells.some((one) => liesIn(one, cell))
    );
  }).length;
}

/** A table of Markdown as the formatter writes it: every column as wide as its widest cell. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...escaped.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [first = [], ...rest] = escaped;
  return [line(first), line(widths.map((width) => "-".repeat(width))), ...rest.map(line)].join("\n");
}
