import { MongoNetworkError } from "mongodb";
import { expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { ViewCounter } from "../../src/store/view-counter.ts";
import { aProject } from "../harness/samples.ts";
import { useServer } from "../harness/server.ts";

const server = await useServer();
const owner = await server.account();

/** The database of a process that loses the responses to its next commands, which are executed. */
function losingResponses(lost: { left: number }): Database {
  const { db } = server.database;
  const command: typeof db.command = async (...input) => {
    const result = await db.command(...input);
    if (lost.left-- > 0) throw new MongoNetworkError("the connection was lost");
    return result;
  };
  return { ...server.database, db: Object.assign(Object.create(db), { command }) };
}

test("C-STATS-1: views are counted once although responses of the database are lost again and again", async () => {
  const [one, two] = [await aProject(owner), await aProject(owner)];
  const lost = { left: 3 };
  const counter = new ViewCounter(losingResponses(lost));
  const other = new ViewCounter(server.database);
  counter.count(one.id);
  counter.count(one.id);
  for (let round = 0; round < 3; round += 1) {
    await expect(counter.flush()).rejects.toThrow("lost");
    counter.count(two.id);
    other.count(one.id);
    await other.flush();
  }
  await counter.flush();
  const viewsOf = async (id: string) => (await owner.get(`/projects/${id}`)).body.stats.views;
  expect([await viewsOf(one.id), await viewsOf(two.id)]).toEqual([5, 3]);
});

test("C-STATS-1: a project keeps few ids of batches, and shows none", async () => {
  const { id } = await aProject(owner);
  const counter = new ViewCounter(server.database);
  for (let round = 0; round < 20; round += 1) {
    counter.count(id);
    await counter.flush();
  }
  const stored = await server.database.projects.findOne({ _id: id });
  expect([stored?.counts.views, stored?.viewBatches?.length]).toEqual([20, 16]);
  const changed = await owner.patch(`/projects/${id}`, { title: "Seen" });
  expect(JSON.stringify(changed.body)).not.toContain("viewBatches");
  expect(Object.keys(changed.body)).not.toContain("words");
});
