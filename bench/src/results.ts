// What a run found, and what may be said of it: medians of rounds, and ratios of rounds that stood side by side.

import type { Figures } from "./load.ts";
import type { Plan, Row } from "./measure.ts";
import type { Work } from "./work.ts";

export interface Results {
  /** ISO 8601. */
  readonly at: string;
  readonly machine: Machine;
  readonly options: Omit<Plan, "works">;
  /** Server → one sentence. */
  readonly servers: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  /** This server alone, at the least and the largest size, side by side: `middleOf` several processes of it. Empty for one size. */
  readonly growth: readonly Row[];
  /** Projects → server → milliseconds from the start of the process to its first answer. */
  readonly startMs: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  /** Projects → server → bytes at most. */
  readonly peakBytes: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface Machine {
  readonly cores: number;
  readonly model: string;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly mongod: string;
  readonly cacheGigabytes: number;
}

/** Three numbers that stand for several: the one in the middle, the least and the most. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (place: number) => sorted[place] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2;
  return { median, least: at(0), most: at(sorted.length - 1) };
}

/** One row for several processes that did the same: of each figure the median of the processes, round by round. */
export function middleOf(rows: readonly Row[]): Row {
  const [first] = rows;
  if (!first) throw new Error("there is a row");
  const rounds = first.rounds.map((figures, round) => {
    const median = (figure: keyof Figures) =>
      spreadOf(rows.map((row) => row.rounds[round]?.[figure] ?? Number.NaN)).median;
    const names = Object.keys(figures) as (keyof Figures)[];
    return Object.fromEntries(names.map((figure) => [figure, median(figure)])) as unknown as Figures;
  });
  return { ...first, rounds };
}

export function spreadIn(row: Row, figure: keyof Figures): Spread {
  return spreadOf(row.rounds.map((round) => round[figure]));
}

/** How many times a figure of `other` that of this row is, round by round. */
export function ratio(row: Row, other: Row, figure: keyof Figures): Spread {
  return spreadOf(row.rounds.map((round, which) => round[figure] / (other.rounds[which]?.[figure] ?? Number.NaN)));
}

export function rowOf(results: Results, projects: number, work: Work, server: string): Row | undefined {
  return results.rows.find((row) => row.projects === projects && row.work === work && row.server === server);
}
