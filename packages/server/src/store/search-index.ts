import { isDeepStrictEqual } from "node:util";
import { indexWords } from "../domain/words.ts";
import type { Database } from "./database.ts";

/** Projects that one command writes. */
const portion = 500;

/** What a rebuild of the search index did. */
export interface Rebuilt {
  readonly projects: number;
  /** Projects whose words were not what they should be. */
  readonly changed: number;
}

/**
 * Writes the words of every project again, for projects that were stored under other rules, while the service runs. A
 * project that is changed meanwhile gets its words from that change.
 */
export async function rebuildSearchIndex({ projects }: Database): Promise<Rebuilt> {
  let [read, changed] = [0, 0];
  let after = "";
  for (;;) {
    const options = { projection: { title: 1, description: 1, words: 1 }, sort: { _id: 1 }, limit: portion } as const;
    const found = await projects.find({ _id: { $gt: after } }, options).toArray();
    const last = found.at(-1);
    if (!last) return { projects: read, changed };
    const updates = found.flatMap(({ _id, title, description, words }) => {
      const right = indexWords(title, description);
      if (isDeepStrictEqual(right, words)) return [];
      // The title and description are part of the filter, so that a change made meanwhile is not overwritten.
      return [{ updateOne: { filter: { _id, title, description }, update: { $set: { words: right } } } }];
    });
    if (updates.length > 0) changed += (await projects.bulkWrite(updates, { ordered: false })).modifiedCount;
    read += found.length;
    after = last._id;
  }
}
