import type { Category, ProjectStatus } from "../domain/project.ts";
import type { Loaders } from "./loaders.ts";

interface TotalFilter {
  readonly audiences: readonly string[];
  readonly statuses: readonly ProjectStatus[] | undefined;
  readonly category: Category | undefined;
}

/** The number of projects of each audience, in a status and a category where one is given; from tallies, at any size. */
export async function projectTotals(loaders: Loaders, filter: TotalFilter): Promise<ReadonlyMap<string, number>> {
  const totals = await Promise.all(
    filter.audiences.map(async (audience): Promise<[string, number]> => {
      const shards = (await loaders.tallies(audience)) ?? [];
      return [audience, shards.reduce((sum, { cells }) => sum + sumOf(cells, filter), 0)];
    }),
  );
  return new Map(totals);
}

function sumOf(cells: Readonly<Record<string, number>>, filter: TotalFilter): number {
  let sum = 0;
  for (const [cell, number] of Object.entries(cells)) {
    const [status, category] = cell.split(":");
    if (filter.statuses && !filter.statuses.some((each) => each === status)) continue;
    if (filter.category && category !== filter.category) continue;
    sum += number;
  }
  return sum;
}
