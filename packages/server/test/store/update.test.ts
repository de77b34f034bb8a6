import { MongoServerError } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Database } from "../../src/store/database.ts";
import { makeIndexes } from "../../src/store/indexes.ts";
import { type Update, update } from "../../src/store/update.ts";
import { uriOf } from "../harness/server.ts";

let database: Database;
beforeAll(async () => {
  database = await connect(uriOf(`test_update_${process.pid}`));
  await makeIndexes(database);
});
afterAll(async () => {
  await database.db.dropDatabase();
  await database.client.close();
});

const inTransaction = (updates: readonly Update[]) =>
  database.client.withSession((session) =>
    session.withTransaction(() => update(database, "testerTallies", updates, session), { readPreference: "primary" }),
  );
const add = (_id: string, by: unknown, upsert = true) => ({
  ...{ q: { _id }, u: { $inc: { draft: by }, $setOnInsert: { projectId: "prj_1" } } },
  ...(upsert && { upsert: true as const }),
});

test("an update returns the ids of the documents that it inserted", async () => {
  expect(await inTransaction([add("prj_1/a", 1), add("prj_1/b", 2)])).toEqual(new Set(["prj_1/a", "prj_1/b"]));
  expect(await inTransaction([add("prj_1/b", 2), add("prj_1/c", 3), add("prj_1/d", 4, false)])).toEqual(
    new Set(["prj_1/c"]),
  );
  const kept = await database.testerTallies.find().sort({ _id: 1 }).toArray();
  expect(kept.map(({ _id, draft }) => [_id, draft])).toEqual([
    ["prj_1/a", 1],
    ["prj_1/b", 4],
    ["prj_1/c", 3],
  ]);
});

test("an update that the database rejects throws, and its transaction is rolled back", async () => {
  const before = await database.testerTallies.countDocuments();
  const refused = inTransaction([add("prj_1/e", 1), add("prj_1/a", "one")]);
  await expect(refused).rejects.toBeInstanceOf(MongoServerError);
  await expect(refused).rejects.toMatchObject({ code: 14, message: expect.stringContaining("non-numeric") });
  expect(await database.testerTallies.countDocuments()).toBe(before);
});
