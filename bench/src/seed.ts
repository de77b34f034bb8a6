// The data that every server works on. A seeded generator makes it, so it is the same in every run.

import type { Account } from "@project-feedback/server/domain/account";
import { newKey, prefixOf } from "@project-feedback/server/domain/key";
import { audienceOf, everybody, noCounts, type Project } from "@project-feedback/server/domain/project";
import { digestOf } from "@project-feedback/server/domain/secret";
import type { Database, ProjectTallyDocument, TesterTallyDocument } from "@project-feedback/server/store/database";
import { toDocument as toFeedback } from "@project-feedback/server/store/feedback-repository";
import { makeIndexes } from "@project-feedback/server/store/indexes";
import { toDocument as toProject } from "@project-feedback/server/store/project-repository";
import { cellOf } from "@project-feedback/server/store/project-tallies";
import { randomFrom, realisticFeedback, realisticProject } from "@project-feedback/server/testing/realistic-data";
import type { Collection } from "mongodb";

/** To be raised whenever the generator or the layout changes: data of another generation is made again. */
export const generation = 2;
/** Accounts of each role that send requests: 400 of the team plan may send 4 million requests per hour. */
const callers = 200;
/** Projects that have feedback. */
const busyProjects = 1_000;
const testers = 500;
/** Each word is in the text of `matches` public projects, at every size. */
export const rareWords = ["zeppelin", "quasar", "marzipan", "xylophone", "obelisk", "fjord", "tundra", "kumquat"];
export const matches = 40;

const noFeedback = { draft: 0, submitted: 0, approved: 0, rejected: 0 };

/** A key that sends requests, and its account. */
export interface CallerKey {
  readonly accountId: string;
  readonly key: string;
}

/** Keys of developers, who own projects, and of as many testers, who have submitted nothing yet. */
export function callerKeys(): CallerKeys {
  keys ??= makeKeys();
  return keys;
}

interface CallerKeys {
  readonly developers: readonly CallerKey[];
  readonly testers: readonly CallerKey[];
}

// Made once: they take longer than the tasks of a measurement.
let keys: CallerKeys | undefined;

function makeKeys(): CallerKeys {
  const random = randomFrom(1_234);
  const keysOf = (prefix: string) =>
    Array.from({ length: callers }, (_, place) => ({ accountId: `acc_${prefix}${place}`, key: newKey(random) }));
  return { developers: keysOf(""), testers: keysOf("k") };
}

/** One feedback per project, but enough that a first page is full at every size. */
export function feedbackFor(projects: number): number {
  return Math.max(30 * Math.min(busyProjects, projects), projects);
}

/**
 * Databases up to this size are made for each run, which takes seconds: what a run writes and removes again leaves
 * MongoDB's trees with nearly empty pages, and creations at 1,000 projects were slower by a third then.
 */
const largestRemade = 100_000;

/** Fills the database, unless it is a large one that has this data already. */
export async function seed(database: Database, projects: number, log: (line: string) => void): Promise<void> {
  const stamp = database.db.collection<{ _id: string; generation: number; projects: number }>("bench");
  const found = await stamp.findOne({ _id: "seed" });
  if (projects > largestRemade && found?.generation === generation && found.projects === projects) return;
  const began = performance.now();
  await database.db.dropDatabase();
  await makeIndexes(database);
  await seedCallers(database);
  await seedProjects(database, projects);
  await saveBaseline(database);
  await stamp.insertOne({ _id: "seed", generation, projects });
  await database.client.db("admin").command({ fsync: 1 });
  log(`Made ${projects} projects in ${((performance.now() - began) / 1_000).toFixed(0)} s.`);
}

async function seedCallers(database: Database): Promise<void> {
  const createdAt = new Date(Date.UTC(2025, 0, 1));
  const { developers, testers } = callerKeys();
  const ofRole = (role: Account["role"], callers: readonly CallerKey[]) =>
    callers.map(({ accountId, key }) => ({
      account: { _id: accountId, name: accountId, role, plan: "team" as const, disabled: false, createdAt },
      key: {
        ...{ _id: accountId.replace("acc", "key"), accountId, name: "", prefix: prefixOf(key), digest: digestOf(key) },
        ...{ createdAt, lastUsedAt: null, revokedAt: null },
      },
    }));
  const all = [...ofRole("developer", developers), ...ofRole("tester", testers)];
  await database.accounts.insertMany(all.map(({ account }) => account));
  await database.keys.insertMany(all.map(({ key }) => key));
}

async function seedProjects(database: Database, number: number): Promise<void> {
  const random = randomFrom(number);
  const owners = Array.from({ length: Math.max(callers, Math.ceil(number / 20)) }, (_, owner) => `acc_${owner}`);
  const projects = bulkInserter(database.projects);
  const feedback = bulkInserter(database.feedback);
  const testerTallies = bulkInserter(database.testerTallies);
  const tallies = new Map<string, Record<string, number>>();
  // Every so many public projects get a word. 70 % is a little less than are public, so all words are placed.
  const spread = Math.max(1, Math.floor((number * 0.7) / (matches * rareWords.length)));
  let [busy, visible, placed] = [0, 0, 0];
  for (let place = 0; place < number; place += 1) {
    const made = realisticProject(place, random, owners);
    const seen = audienceOf(made) === everybody;
    const hit = seen && visible++ % spread === 0 && placed < matches * rareWords.length;
    const word = hit ? ` ${rareWords[placed++ % rareWords.length]}.` : "";
    let project: Project = { ...made, description: made.description + word };
    if (seen && project.status === "active" && busy < busyProjects) {
      const share = Math.floor(feedbackFor(number) / Math.min(busyProjects, number));
      project = { ...project, counts: await seedFeedback(project.id, share, busy++) };
    }
    const cells = tallies.get(audienceOf(project)) ?? {};
    cells[cellOf(project)] = (cells[cellOf(project)] ?? 0) + 1;
    tallies.set(audienceOf(project), cells);
    await projects.add(toProject(project));
  }
  for (const collection of [projects, feedback, testerTallies]) await collection.end();
  const totals = bulkInserter(database.projectTallies);
  for (const [audience, cells] of tallies) await totals.add({ _id: `${audience}/0`, audience, cells });
  await totals.end();

  async function seedFeedback(projectId: string, share: number, which: number): Promise<Project["counts"]> {
    const counts = { ...noCounts };
    const authors = Array.from({ length: testers }, (_, tester) => `acc_t${tester}`);
    const byAuthor = new Map<string, TesterTallyDocument>();
    for (let place = 0; place < share; place += 1) {
      const made = realisticFeedback(place * busyProjects + which, random, projectId, authors);
      counts[made.status] += 1;
      const fresh = { _id: `${projectId}/${made.testerId}`, projectId, ...noFeedback };
      const tally = byAuthor.get(made.testerId) ?? fresh;
      byAuthor.set(made.testerId, { ...tally, [made.status]: tally[made.status] + 1 });
      await feedback.add(toFeedback(made));
    }
    for (const tally of byAuthor.values()) {
      if (tally.submitted || tally.approved || tally.rejected) counts.testerRequests += 1;
      if (tally.approved) counts.approvedTesters += 1;
      await testerTallies.add(tally);
    }
    return counts;
  }
}

function bulkInserter<Document extends object>(collection: Collection<Document>) {
  const batchSize = 5_000;
  let documents: Document[] = [];
  const end = async () => {
    if (documents.length === 0) return;
    await collection.insertMany(documents as never[], { ordered: false, writeConcern: { w: 1 } });
    documents = [];
  };
  return {
    async add(document: Document): Promise<void> {
      documents.push(document);
      if (documents.length === batchSize) await end();
    },
    end,
  };
}

/** The seeded documents that measurements change. */
interface Baseline {
  readonly _id: "baseline";
  readonly tallies: readonly ProjectTallyDocument[];
  readonly busy: readonly { readonly _id: string; readonly counts: Project["counts"] }[];
}

const audience = { $in: [everybody, ...callerKeys().developers.map(({ accountId }) => accountId)] };
const baselines = ({ db }: Database) => db.collection<Baseline>("bench");

async function saveBaseline(database: Database): Promise<void> {
  const tallies = await database.projectTallies.find({ audience }).toArray();
  const busy = await database.projects
    .find({ "counts.submitted": { $gt: 0 } }, { projection: { counts: 1 } })
    .toArray();
  await baselines(database).insertOne({ _id: "baseline", tallies, busy });
}

/** @returns a function that removes what a measurement wrote, so that each measurement finds the same data */
export async function prepareReset(database: Database): Promise<() => Promise<void>> {
  // Seeded ids count from 0; ids that servers make begin with the time.
  const written = { $gte: "prj_1" };
  const writtenFeedback = { $gte: "fb_1" };
  const baseline = await baselines(database).findOne({ _id: "baseline" });
  if (!baseline) throw new Error("the database has no baseline, so it was not seeded");
  const { tallies, busy } = baseline;
  const reset = async () => {
    await database.projects.deleteMany({ _id: written });
    await database.projectTallies.deleteMany({ audience, _id: { $nin: tallies.map(({ _id }) => _id) } });
    await database.projectTallies.bulkWrite(
      tallies.map(({ _id, ...replacement }) => ({ replaceOne: { filter: { _id }, replacement, upsert: true } })),
    );
    const sent = await database.feedback
      .find({ _id: writtenFeedback }, { projection: { projectId: 1, testerId: 1 } })
      .toArray();
    if (sent.length === 0) return;
    const pairs = new Set(sent.map(({ projectId, testerId }) => `${projectId}/${testerId}`));
    await database.testerTallies.deleteMany({ _id: { $in: [...pairs] } });
    const touched = new Set(sent.map(({ projectId }) => projectId));
    const updates = busy.flatMap(({ _id, counts }) =>
      touched.has(_id) ? [{ updateOne: { filter: { _id }, update: { $set: { counts } } } }] : [],
    );
    await database.projects.bulkWrite(updates, { ordered: false });
    // Last: it says what else is to be removed, where this is interrupted.
    await database.feedback.deleteMany({ _id: writtenFeedback });
  };
  // An interrupted run may have left what it wrote.
  await reset();
  return reset;
}
