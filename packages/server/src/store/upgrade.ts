import { isDeepStrictEqual } from "node:util";
import { fold, indexWords } from "../domain/words.ts";
import type { Database } from "./database.ts";

/** Records that one command writes. */
const portion = 500;

/** The numbers of records that an upgrade changed. */
export interface Upgraded {
  readonly projects: number;
  readonly feedback: number;
}

/**
 * Brings records that an earlier version stored up to date, while the service runs: the words of projects, which a search
 * compares, their titles as lists are ordered by them, and the time of the last change of feedback. It can be repeated.
 */
export async function upgradeRecords(database: Database): Promise<Upgraded> {
  return { projects: await upgradeProjects(database), feedback: await upgradeFeedback(database) };
}

async function upgradeProjects({ projects }: Database): Promise<number> {
  let changed = 0;
  let after = "";
  for (;;) {
    const projection = { title: 1, description: 1, words: 1, titleKey: 1 };
    const found = await projects
      .find({ _id: { $gt: after } }, { projection, sort: { _id: 1 }, limit: portion })
      .toArray();
    const last = found.at(-1);
    if (!last) return changed;
    const updates = found.flatMap(({ _id, title, description, words, titleKey }) => {
      const right = { words: indexWords(title, description), titleKey: fold(title) };
      if (isDeepStrictEqual(right, { words, titleKey })) return [];
      // The title and description are part of the filter, so that a change made meanwhile is not overwritten.
      return [{ updateOne: { filter: { _id, title, description }, update: { $set: right } } }];
    });
    if (updates.length > 0) changed += (await projects.bulkWrite(updates, { ordered: false })).modifiedCount;
    after = last._id;
  }
}

async function upgradeFeedback({ feedback }: Database): Promise<number> {
  let changed = 0;
  for (;;) {
    const filter = { updatedAt: { $exists: false } };
    const found = await feedback.find(filter, { projection: { _id: 1 }, limit: portion }).toArray();
    if (found.length === 0) return changed;
    // A pipeline, because the value is that of another field.
    const change = [{ $set: { updatedAt: "$createdAt" } }];
    const ids = found.map(({ _id }) => _id);
    changed += (await feedback.updateMany({ _id: { $in: ids }, ...filter }, change)).modifiedCount;
  }
}
