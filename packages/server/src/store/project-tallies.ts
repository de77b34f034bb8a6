import type { ClientSession } from "mongodb";
import { audienceOf, type Project } from "../domain/project.ts";
import type { Database } from "./database.ts";
import { update } from "./update.ts";

/**
 * Number of documents that the tally of one audience is spread over. Of two transactions that add to the same document
 * one has to start again; a total reads all of them.
 */
export const tallyShards = 16;

/** By how much the number of projects in one cell of an audience changes. */
export interface ProjectTallyChange {
  readonly audience: string;
  readonly cell: string;
  readonly by: number;
}

/** `<status>:<category>` */
export function cellOf(project: Pick<Project, "status" | "category">): string {
  return `${project.status}:${project.category}`;
}

/** How the tallies change with a project that is new (no `before`), changed, or deleted (no `after`). */
export function tallyChanges(before: Project | null, after: Project | null): ProjectTallyChange[] {
  const change = (project: Project, by: number) => ({ audience: audienceOf(project), cell: cellOf(project), by });
  return [...(before ? [change(before, -1)] : []), ...(after ? [change(after, 1)] : [])];
}

/** Adds to the tallies, in the documents of one shard. */
export async function writeProjectTallies(
  database: Database,
  session: ClientSession,
  shard: number,
  changes: readonly ProjectTallyChange[],
): Promise<void> {
  const updates = [...Map.groupBy(changes, ({ audience }) => audience)].flatMap(([audience, ofAudience]) => {
    const sums: Record<string, number> = {};
    for (const { cell, by } of ofAudience) sums[cell] = (sums[cell] ?? 0) + by;
    const changed = Object.entries(sums).filter(([, by]) => by !== 0);
    if (changed.length === 0) return [];
    const $inc = Object.fromEntries(changed.map(([cell, by]) => [`cells.${cell}`, by]));
    const _id = `${audience}/${shard % tallyShards}`;
    return [{ q: { _id }, u: { $inc, $setOnInsert: { audience } }, upsert: true as const }];
  });
  if (updates.length > 0) await update(database, "projectTallies", updates, session);
}
