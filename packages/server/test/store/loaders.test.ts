import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Database } from "../../src/store/database.ts";
import { toDocument } from "../../src/store/feedback-repository.ts";
import { sharedLoaders } from "../../src/store/loaders.ts";
import { randomFrom, realisticFeedback } from "../harness/realistic-data.ts";
import { uriOf } from "../harness/server.ts";

let database: Database;
beforeAll(async () => {
  database = await connect(uriOf(`test_reads_${process.pid}`));
});
afterAll(async () => {
  await database.db.dropDatabase();
  await database.client.close();
});

test("records that are read together are all found, even when they exceed one batch of the database", async () => {
  const random = randomFrom(1);
  const large = Array.from({ length: 30 }, (_, number) => {
    const made = realisticFeedback(number, random, "prj_large", ["acc_a"]);
    return toDocument({ ...made, generalComments: "x".repeat(1_040_000) });
  });
  for (const document of large) await database.feedback.insertOne(document);
  const loaders = sharedLoaders(database);
  const found = await Promise.all(large.map(({ _id }) => loaders.feedback(_id)));
  expect(found.map((document) => document?._id)).toEqual(large.map(({ _id }) => _id));
});
