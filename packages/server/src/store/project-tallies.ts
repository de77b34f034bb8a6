import type { ClientSession } from "mongodb";
import { audienceOf, type Category, type Project, type ProjectStatus } from "../domain/project.ts";
import type { Database } from "./database.ts";
import type { Reads } from "./reads.ts";

/**
 * Documents that the tally of one audience is spread over. Two transactions that add to the same one collide and one
 * of them starts again; reading a total reads them all.
 */
export const slots = 16;

export function cellOf(project: Pick<Project, "status" | "category">): string {
  return `${project.status}:${project.category}`;
}

/** Keeps the number of projects of each audience, status and category, so that a total costs the same at any size. */
export class ProjectTallies {
  readonly #database: Database;
  readonly #reads: Reads;
  readonly #slot: number;
  readonly #options: { session?: ClientSession };

  /** @param slot where to add: a number that no other transaction of this process uses meanwhile */
  constructor(database: Database, reads: Reads, slot: number, session?: ClientSession) {
    this.#database = database;
    this.#reads = reads;
    this.#slot = slot % slots;
    this.#options = session ? { session } : {};
  }

  /** Takes note of a project that appeared (no `before`), changed, or went (no `after`). */
  async move(before: Project | null, after: Project | null): Promise<void> {
    const changes = new Map<string, Record<string, number>>();
    const add = (project: Project | null, by: number) => {
      if (!project) return;
      const cells = changes.get(audienceOf(project)) ?? {};
      const name = `cells.${cellOf(project)}`;
      cells[name] = (cells[name] ?? 0) + by;
      changes.set(audienceOf(project), cells);
    };
    add(before, -1);
    add(after, +1);
    for (const [audience, cells] of changes) {
      if (Object.values(cells).every((by) => by === 0)) continue;
      await this.#database.projectTallies.updateOne(
        { _id: `${audience}/${this.#slot}` },
        { $inc: cells, $setOnInsert: { audience } },
        { ...this.#options, upsert: true },
      );
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
