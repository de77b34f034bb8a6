import { readFileSync } from "node:fs";
import type { Report } from "../src/engine/report.ts";
import { runConformance } from "../src/engine/run.ts";
import type { Depth } from "../src/engine/terms.ts";
import type { ConformanceOptions, Deployment } from "../src/options.ts";
import { ExampleServer } from "./example/server.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { Touched } from "./touched.ts";
import type { Choice } from "./variants/choices.ts";
import type { Program } from "./variants/programs.ts";
import { startProgram } from "./variants/start-program.ts";
import { type Ask, fetchThrough } from "./wire.ts";

/** Checks of other clauses that cannot pass on a server with some defect either, by the id of the mutant. */
const affected: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL("mutants/affected.json", import.meta.url), "utf8"),
);

/** How the example server makes a draft, as its operator would declare it. */
const draft = { fields: { status: "draft" } };

/** Projects of somebody else: more than a page holds, in every status and category. */
const crowd = 130;

const baseUrl = "http://127.0.0.1:9/v1";

const common = { ledger: false, maxWait: 0, timeout: 15, draft } as const;

/** What became of a mutant at one depth. */
export interface MutantResult {
  readonly id: string;
  readonly depth: Depth;
  readonly verdict: Report["verdict"];
  /** Stated checks of a clause that it breaks, which failed: empty where it got away. */
  readonly caughtBy: readonly string[];
  /** Stated checks of other clauses, which failed for the wrong reason. */
  readonly wrongly: readonly { readonly id: string; readonly reason: string }[];
  /** Cells of the matrix in which it behaved differently: `operation role parameters`. */
  readonly cells: readonly string[];
  readonly requests: Report["requests"];
}

/** Runs the stated suite against the example server with one defect. */
export async function judgeMutant(mutant: Mutant, depth: Depth): Promise<MutantResult> {
  const server = new ExampleServer(mutant.choices);
  server.crowd(crowd);
  const address = new URL(mutant.servedAt ?? "/v1", baseUrl).href;
  const touched = new Touched(server.keys);
  const ask = touched.around(server.ask, (inner) => mutant.intercept?.(inner, server.keys, server) ?? inner);
  // Using up an allowance takes a hundred requests, which only a defect of allowances can show.
  const { spare: _, otherDeveloper: __, ...keys } = server.keys;
  const rates = mutant.breaks.some((clause) => clause.startsWith("S-RATE"));
  const report = await runConformance({
    ...common,
    ...mutant.declares,
    baseUrl: address,
    keys: rates ? { ...keys, spare: server.keys.spare ?? "" } : keys,
    fetch: fetchThrough(address, ask),
    depth,
  });
  const failed = report.checks.filter(({ status, level }) => status === "fail" && level === "stated");
  const related = (clauses: readonly string[]) => clauses.some((clause) => mutant.breaks.includes(clause));
  return {
    id: mutant.id,
    depth,
    verdict: report.verdict,
    caughtBy: failed.filter(({ clauses }) => related(clauses)).map(({ id }) => id),
    wrongly: failed
      .filter(({ id, clauses }) => !related(clauses) && !(affected[mutant.id] ?? []).includes(id))
      .map(({ id, reason = "" }) => ({ id, reason })),
    cells: touched.cells(),
    requests: report.requests,
  };
}

/** What became of a legal server at one depth. */
export interface LegalResult {
  readonly id: string;
  readonly depth: Depth;
  readonly verdict: Report["verdict"];
  readonly coverage: Report["coverage"];
  readonly requests: Report["requests"];
  /** Stated checks that failed, with their reasons. */
  readonly failed: readonly string[];
}

const legalResult = (id: string, report: Report): LegalResult => ({
  id,
  depth: report.depth,
  verdict: report.verdict,
  coverage: report.coverage,
  requests: report.requests,
  failed: report.checks
    .filter(({ level, status }) => level === "stated" && (status === "fail" || status === "harness error"))
    .map((check) => `${check.id}: ${check.reason} Seen: ${JSON.stringify(check.seen)}`),
});

/** Runs the stated suite against the example server with other choices. */
export async function judgeChoice({ id, choices, declares }: Choice, depth: Depth): Promise<LegalResult> {
  const server = new ExampleServer(choices);
  server.crowd(crowd);
  const { spare = "", otherDeveloper: _, ...keys } = server.keys;
  return legalResult(
    id,
    await runOn(server.ask, id.startsWith("exhausted") ? { ...keys, spare } : keys, declares, depth),
  );
}

/** Runs the stated suite against whatever answers `ask`. */
export async function runOn(
  ask: Ask,
  keys: ConformanceOptions["keys"],
  declares: Deployment | undefined,
  depth: Depth,
): Promise<Report> {
  return runConformance({ ...common, ...declares, baseUrl, keys, fetch: fetchThrough(baseUrl, ask), depth });
}

/** Runs the stated suite against a program in another language. */
export async function judgeProgram({ id, file, options, declares }: Program, depth: Depth): Promise<LegalResult> {
  const program = await startProgram(file, options, depth === "quick" ? 100 : 1_000);
  try {
    const { draft: _, ...rest } = common;
    const report = await runConformance({ ...rest, ...declares, baseUrl: program.baseUrl, keys: program.keys, depth });
    return legalResult(id, report);
  } finally {
    await program.stop();
  }
}
