// Medians of rounds, and ratios of rounds that were measured side by side.

import type { Cell, Figures, Row } from "./results.ts";

/** The median of several numbers, the least and the most. */
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

/** A figure of a row, over its rounds. */
export function spreadIn(row: Row, figure: keyof Figures): Spread {
  return spreadOf(row.rounds.map((round) => round[figure]));
}

/** A figure of `row` divided by the same of `other`, over the rounds that both were measured in. */
export function ratio(row: Row, other: Row, figure: keyof Figures): Spread {
  const others = new Map(other.rounds.map((round) => [round.round, round[figure]]));
  const ratios = row.rounds.flatMap((round) => {
    const divisor = others.get(round.round);
    return divisor === undefined ? [] : [round[figure] / divisor];
  });
  return spreadOf(ratios);
}

/** One row for each cell and server: of each figure the median of several processes, round by round. */
export function mergeProcesses(rows: readonly Row[]): Row[] {
  return [...Map.groupBy(rows, (row) => `${cellKey(row)}/${row.server}`).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const rounds = first.rounds.map((figures, place) => {
      const median = (figure: keyof Figures) =>
        spreadOf(same.map((row) => row.rounds[place]?.[figure] ?? Number.NaN)).median;
      const [rate, serverCpu, mongodCpu] = [median("rate"), median("serverCpu"), median("mongodCpu")];
      const [p50, p99, failures] = [median("p50"), median("p99"), median("failures")];
      return { round: figures.round, rate, serverCpu, mongodCpu, p50, p99, failures };
    });
    return [{ ...first, rounds }];
  });
}

/** The rows of each cell. */
export function byCell(rows: readonly Row[]): Row[][] {
  return [...Map.groupBy(rows, cellKey).values()];
}

function cellKey({ projects, work, connections }: Cell): string {
  return `${projects}/${work}/${connections}`;
}
