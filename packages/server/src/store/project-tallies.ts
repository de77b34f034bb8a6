import type { ClientSession } from "mongodb";
import { audienceOf, type Category, type Project, type ProjectStatus } from "../domain/project.ts";
import type { Database } from "./database.ts";
import type { Reads } from "./reads.ts";
import { update } from "./update.ts";
import { type Writing, writingTo } from "./writing.ts";

/**
 * Documents that the tally of one audience is spread over. Two transactions that add to the same one collide and one
 * of them starts again; reading a total reads them all.
 */
export const slots = 16;

/** Audience → `<status>:<category>` → a number of projects, or by how much it changes. */
export type Cells = ReadonlyMap<string, Readonly<Record<string, number>>>;

export function cellOf(project: Pick<Project, "status" | "category">): string {
  return `${project.status}:${project.category}`;
}

/** Keeps the number of projects of each audience, status and category, so that a total costs the same at any size. */
export class ProjectTallies {
  readonly #reads: Reads;
  readonly #writing: Writing | undefined;

  constructor(reads: Reads, writing: Writing | undefined) {
    this.#reads = reads;
    this.#writing = writing;
  }

  /** Takes note of a project that appeared (no `before`), changed, or went (no `after`). */
  move(before: Project | null, after: Project | null): void {
    const { changes } = writingTo(this.#writing);
    for (const [project, by] of [
      [before, -1],
      [after, +1],
    ] as const) {
      if (project) changes.tally(new Map([[audienceOf(project), { [cellOf(project)]: by }]]));
    }
  }

  /** The number of projects in each of these audiences, in this status and category where one is given. */
  async totals(filter: {
    readonly audiences: readonly string[];
    readonly status: ProjectStatus | undefined;
    readonly category: Category | undefined;
  }): Promise<ReadonlyMap<string, number>> {
    const totalOf = async (audience: string) => {
      const tallies = (await this.#reads.tallies(audience)) ?? [];
      return tallies.reduce((sum, { cells }) => sum + sumOf(cells, filter), 0);
    };
    const totals = await Promise.all(filter.audiences.map(totalOf));
    return new Map(filter.audiences.map((audience, place) => [audience, totals[place] ?? 0]));
  }
}

function sumOf(
  cells: Readonly<Record<string, number>>,
  filter: { readonly status: string | undefined; readonly category: string | undefined },
): number {
  let sum = 0;
  for (const [cell, number] of Object.entries(cells)) {
    const [status, category] = cell.split(":");
    if (filter.status && status !== filter.status) continue;
    if (filter.category && category !== filter.category) continue;
    sum += number;
  }
  return sum;
}

/** Adds to the tallies, in the documents of one slot. */
export async function sendTallies(
  database: Database,
  session: ClientSession,
  slot: number,
  changes: readonly Cells[],
): Promise<void> {
  const sums = new Map<string, Record<string, number>>();
  for (const [audience, cells] of changes.flatMap((each) => [...each])) {
    const sum = sums.get(audience) ?? {};
    for (const [cell, by] of Object.entries(cells)) sum[cell] = (sum[cell] ?? 0) + by;
    sums.set(audience, sum);
  }
  const updates = [...sums].flatMap(([audience, cells]) => {
    const changed = Object.entries(cells).filter(([, by]) => by !== 0);
    if (changed.length === 0) return [];
    const $inc = Object.fromEntries(changed.map(([cell, by]) => [`cells.${cell}`, by]));
    const _id = `${audience}/${slot % slots}`;
    return [{ q: { _id }, u: { $inc, $setOnInsert: { audience } }, upsert: true as const }];
  });
  if (updates.length > 0) await update(database, "projectTallies", updates, session);
}
