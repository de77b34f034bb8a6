// What each operation writes: all documents are compared before and after it, on an empty database.

import { randomUUID } from "node:crypto";
import { AllowanceRepository } from "@project-feedback/server/store/allowance-repository";
import { connect, type Database } from "@project-feedback/server/store/database";
import { indexes, makeIndexes } from "@project-feedback/server/store/indexes";
import { ViewCounter } from "@project-feedback/server/store/view-counter";
import { randomFrom, realisticProject } from "@project-feedback/server/testing/realistic-data";
import { BSON, type Document } from "mongodb";
import { createExecutor, principalOf } from "./executor.ts";

/** What one operation writes. */
export interface Written {
  readonly name: string;
  /** Collection → documents that were inserted, changed or deleted. */
  readonly documents: ReadonlyMap<string, number>;
  /** Entries added to indexes or removed from them, those of `_id` included. */
  readonly entries: number;
}

type Contents = ReadonlyMap<string, ReadonlyMap<string, Document>>;
type Index = { readonly key: Readonly<Record<string, unknown>>; readonly partialFilterExpression?: Document };

/** Performs each write once, on a database that is emptied before and dropped afterwards. */
export async function measureWrites(uri: string): Promise<Written[]> {
  const database = await connect(uri, { patient: true });
  try {
    await database.db.dropDatabase();
    await makeIndexes(database);
    return await measureOn(database);
  } finally {
    await database.db.dropDatabase();
    await database.client.close();
  }
}

async function measureOn(database: Database): Promise<Written[]> {
  const execute = createExecutor(database);
  const [owner, tester] = [principalOf("acc_owner", "developer"), principalOf("acc_tester", "tester")];
  const { title, description, category } = realisticProject(1, randomFrom(1), [owner.accountId]);
  const project = { title, description, category };
  const feedback = { overallRating: 4, generalComments: "I would use it again." };
  const idOf = async (answer: Promise<{ readonly body: string }>): Promise<string> =>
    JSON.parse((await answer).body).id;
  const create = (key = {}) => idOf(execute("createProject", { caller: owner, body: project, ...key }));
  const submit = (projectId: string, caller = tester, body: object = feedback) =>
    idOf(execute("createFeedback", { caller, path: { projectId }, body }));

  const written: Written[] = [];
  async function measure<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = await contentsOf(database);
    const result = await work();
    written.push({ name, ...difference(before, await contentsOf(database)) });
    return result;
  }

  // As in a database that is in use, tallies exist before anything is measured.
  await create();
  const id = await measure("create project", () => create());
  await measure("create project, with Idempotency-Key", () => create({ idempotencyKey: randomUUID() }));
  const change = (body: object) => execute("updateProject", { caller: owner, path: { id }, body });
  await measure("change project's title", () => change({ title: `${title} again` }));
  const first = await measure("submit feedback, tester's first on the project", () => submit(id));
  await measure("submit feedback, tester's second", () => submit(id));
  await measure("approve feedback", () => execute("approveFeedback", { caller: owner, path: { id: first } }));
  await measure("mark as helpful", () => execute("markFeedbackHelpful", { caller: owner, path: { id: first } }));
  const message = "Thank you.";
  await measure("reply", () => execute("replyToFeedback", { caller: owner, path: { id: first }, body: { message } }));
  const draft = await submit(id, tester, { ...feedback, status: "draft" });
  const edit = (body: object) => execute("updateFeedback", { caller: tester, path: { id: draft }, body });
  await measure("change a draft", () => edit({ generalComments: "I would share it." }));
  await measure("submit a draft", () => edit({ status: "submitted" }));
  await measure("complete project", () => change({ status: "completed" }));
  const doomed = await create();
  for (let place = 0; place < 10; place += 1) await submit(doomed, principalOf(`acc_t${place}`, "tester"));
  await measure("delete project with 10 feedback of 10 testers", () =>
    execute("deleteProject", { caller: owner, path: { id: doomed } }),
  );
  const allowances = new AllowanceRepository(database, "process", 3_600_000);
  await measure("lease of an allowance, first in its window", () => allowances.take(owner.accountId, 10_000, 1, 16));
  await measure("lease of an allowance, later", () => allowances.take(owner.accountId, 10_000, 1, 16));
  const views = new ViewCounter(database);
  views.count(id);
  await measure("views of a project, all of half a second", () => views.flush());
  return written;
}

async function contentsOf({ db }: Database): Promise<Contents> {
  const contents = new Map<string, Map<string, Document>>();
  for (const name of Object.keys(indexes)) {
    const documents = await db.collection<{ _id: string }>(name).find().toArray();
    contents.set(name, new Map(documents.map((document) => [document._id, document])));
  }
  return contents;
}

function difference(before: Contents, after: Contents): Omit<Written, "name"> {
  const documents = new Map<string, number>();
  let entries = 0;
  for (const [name, now] of after) {
    const then = before.get(name) ?? new Map<string, Document>();
    for (const id of new Set([...then.keys(), ...now.keys()])) {
      const [old, fresh] = [then.get(id), now.get(id)];
      if (old && fresh && Buffer.compare(BSON.serialize(old), BSON.serialize(fresh)) === 0) continue;
      documents.set(name, (documents.get(name) ?? 0) + 1);
      const [removed, added] = [entriesOf(name, old), entriesOf(name, fresh)];
      const common = [...removed].filter((entry) => added.has(entry)).length;
      entries += removed.size + added.size - 2 * common;
    }
  }
  return { documents, entries };
}

/** The entries of a document in the indexes of its collection. */
function entriesOf(name: string, document: Document | undefined): Set<string> {
  if (!document) return new Set();
  const own: readonly Index[] = indexes[name as keyof typeof indexes];
  return new Set([{ key: { _id: 1 } }, ...own].flatMap((index) => entriesIn(index, document)));
}

function entriesIn({ key, partialFilterExpression: only = {} }: Index, document: Document): string[] {
  if (Object.entries(only).some(([field, value]) => document[field] !== value)) return [];
  // A field that is an array has an entry for each of its values.
  const values = Object.keys(key).map((field): unknown[] => [document[field] ?? null].flat());
  const combined = values.reduce<unknown[][]>(
    (heads, tails) => heads.flatMap((head) => tails.map((tail) => [...head, tail])),
    [[]],
  );
  return combined.map((entry) => JSON.stringify([key, entry]));
}
