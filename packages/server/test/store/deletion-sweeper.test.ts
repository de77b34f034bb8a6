import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyCounts } from "../../src/store/counts.ts";
import { connect } from "../../src/store/database.ts";
import { DeletionSweeper } from "../../src/store/deletion-sweeper.ts";
import type { Caller } from "../harness/caller.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, type TestServer, uriOf } from "../harness/server.ts";

const copies = 20_000;

let server: TestServer;
let ada: Caller;
let tom: Caller;
beforeAll(async () => {
  server = await startServer();
  [ada, tom] = await Promise.all([server.account(), server.account({ role: "tester" })]);
});
afterAll(() => server.stop());

/** A project with much feedback of one tester, every one marked by one account, and all of it counted. */
async function largeProject(): Promise<{ id: string; feedbackId: string }> {
  const { id } = await aProject(ada, { title: "Popular" });
  const first = await aFeedback(tom, id);
  await ada.post(`/feedback/${first.id}/helpful`);
  const { projects, feedback, marks, testerTallies } = server.database;
  const document = await feedback.findOne({ _id: first.id });
  if (!document) throw new Error("the feedback is not in the database");
  const numbers = Array.from({ length: copies }, (_, number) => `${first.id}-${number}`);
  await feedback.insertMany(numbers.map((_id) => ({ ...document, _id })));
  await marks.insertMany(numbers.map((feedbackId) => ({ _id: `${feedbackId}/${ada.id}`, feedbackId, projectId: id })));
  await projects.updateOne({ _id: id }, { $inc: { "counts.submitted": copies } });
  await testerTallies.updateOne({ _id: `${id}/${tom.id}` }, { $inc: { submitted: copies } });
  return { id, feedbackId: first.id };
}

const left = async (projectId: string) =>
  (await server.database.feedback.countDocuments({ projectId })) +
  (await server.database.marks.countDocuments({ projectId })) +
  (await server.database.testerTallies.countDocuments({ projectId }));

test("C-PROJ-5: a project with much feedback is gone at once, and the counts are right while the rest is removed", async () => {
  const { id, feedbackId } = await largeProject();
  expect(await verifyCounts(server.database)).toEqual([]);
  const total = (await ada.get("/projects")).body.pagination.total;
  const began = performance.now();
  expect((await ada.delete(`/projects/${id}`)).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(1_000);
  expect((await ada.get("/projects")).body.pagination.total).toBe(total - 1);
  expect((await ada.get("/projects?search=popular")).body.data).toEqual([]);
  for (const path of [`/projects/${id}`, `/projects/${id}/feedback`, `/feedback/${feedbackId}`]) {
    expect((await tom.get(path)).status).toBe(404);
  }
  expect((await ada.post(`/feedback/${feedbackId}/helpful`)).status).toBe(404);
  expect(await left(id)).toBeGreaterThan(copies);
  expect(await verifyCounts(server.database)).toEqual([]);
  const slowest = { ms: 0 };
  const other = await server.account();
  while ((await left(id)) > 0) {
    const sent = performance.now();
    expect((await other.post("/projects", { title: "A", description: "B", category: "web" })).status).toBe(201);
    slowest.ms = Math.max(slowest.ms, performance.now() - sent);
    expect(await verifyCounts(server.database)).toEqual([]);
  }
  expect(slowest.ms).toBeLessThan(2_000);
  expect(await verifyCounts(server.database)).toEqual([]);
}, 60_000);

test("C-PROJ-5: what a sweeper that was killed has left is removed by another, and several sweep at once", async () => {
  const claimMs = 300;
  const { id } = await largeProject();
  const killed = await connect(uriOf(server.databaseName));
  const sweeper = new DeletionSweeper(killed, claimMs);
  expect((await ada.delete(`/projects/${id}`)).status).toBe(200);
  const outcome = sweeper.sweep().then(
    () => "done",
    () => "killed",
  );
  await expect.poll(() => left(id), { interval: 5 }).toBeLessThan(2 * copies);
  await killed.client.close(true);
  expect(await outcome).toBe("killed");
  expect(await left(id)).toBeGreaterThan(0);
  const others = Array.from({ length: 3 }, () => new DeletionSweeper(server.database, claimMs));
  await expect
    .poll(
      async () => {
        await Promise.all(others.map((other) => other.sweep()));
        return server.database.deletions.countDocuments();
      },
      { timeout: 30_000 },
    )
    .toBe(0);
  expect(await left(id)).toBe(0);
  expect(await verifyCounts(server.database)).toEqual([]);
}, 60_000);

test("C-PROJ-5: a sweeper that is closed leaves its deletion free for another at once", async () => {
  const { id } = await largeProject();
  expect((await ada.delete(`/projects/${id}`)).status).toBe(200);
  const first = new DeletionSweeper(server.database);
  const sweeping = first.sweep();
  await first.close();
  await sweeping;
  const second = new DeletionSweeper(server.database);
  await expect
    .poll(
      async () => {
        await second.sweep();
        return left(id);
      },
      { timeout: 30_000 },
    )
    .toBe(0);
}, 60_000);
