import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyCounts } from "../../src/store/counts.ts";
import type { Caller } from "../harness/caller.ts";
import { aFeedback, aProject, fullFeedback } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let ada: Caller;
let tom: Caller;
beforeAll(async () => {
  server = await startServer();
  [ada, tom] = await Promise.all([server.account(), server.account({ role: "tester" })]);
});
afterAll(() => server.stop());

/** Number of records that are left of a deleted project. */
async function leftOf(projectId: string): Promise<number> {
  const { feedback, marks, testerTallies, deletions } = server.database;
  const numbers = [
    ...[feedback, marks, testerTallies].map((collection) => collection.countDocuments({ projectId } as never)),
    deletions.countDocuments({ _id: projectId }),
  ];
  return (await Promise.all(numbers)).reduce((sum, number) => sum + number, 0);
}

const total = async (path: string) => (await ada.get(path)).body.pagination.total;

test("S-PROJ-DELETE-1: a deleted project can be neither read nor found", async () => {
  const project = await aProject(ada, { title: "Ephemeral" });
  const kept = await aProject(ada, { title: "Kept" });
  const before = await total("/projects");
  const { status, body } = await ada.delete(`/projects/${project.id}`);
  expect(status).toBe(200);
  expect(body).toEqual({ success: true, message: expect.stringMatching(/\w/) });
  for (const reader of [ada, tom]) {
    expect((await reader.get(`/projects/${project.id}`)).status).toBe(404);
    expect((await reader.get(`/projects/${project.id}/feedback`)).status).toBe(404);
    const { data } = (await reader.get("/projects?perPage=100")).body;
    expect(data.map(({ id }: { id: string }) => id)).toContain(kept.id);
    expect(data.map(({ id }: { id: string }) => id)).not.toContain(project.id);
  }
  expect(await total("/projects")).toBe(before - 1);
  expect(await total("/projects?search=ephemeral")).toBe(0);
});

test("S-PROJ-DELETE-1: a deleted project cannot be deleted again or changed, and accepts no feedback", async () => {
  const { id } = await aProject(ada);
  await ada.delete(`/projects/${id}`);
  expect((await ada.delete(`/projects/${id}`)).status).toBe(404);
  expect((await ada.patch(`/projects/${id}`, { title: "Back" })).status).toBe(404);
  expect((await tom.post(`/projects/${id}/feedback`, { overallRating: 3 })).status).toBe(404);
});

test.each(["draft", "completed", "archived"])(
  "S-PROJ-DELETE-1: a project that is %s can be deleted",
  async (status) => {
    const { id } = await aProject(ada, { status: status === "draft" ? "draft" : "active" });
    await ada.patch(`/projects/${id}`, { status });
    expect((await ada.delete(`/projects/${id}`)).status).toBe(200);
    expect((await ada.get(`/projects/${id}`)).status).toBe(404);
  },
);

test("C-PROJ-5: deleting a project deletes all its feedback, drafts, marks and counts, and nothing else", async () => {
  const [going, staying] = [await aProject(ada), await aProject(ada)];
  const deleted = [
    await aFeedback(tom, going.id, fullFeedback as never),
    await aFeedback(tom, going.id, { status: "draft" }),
    await aFeedback(ada, going.id),
  ];
  const stays = await aFeedback(tom, staying.id);
  for (const { id } of [...deleted, stays]) await ada.post(`/feedback/${id}/helpful`);
  await ada.delete(`/projects/${going.id}`);
  for (const { id } of deleted) {
    for (const caller of [ada, tom]) {
      expect((await caller.get(`/feedback/${id}`)).status).toBe(404);
      expect((await caller.patch(`/feedback/${id}`, {})).status).toBe(404);
    }
    expect((await ada.post(`/feedback/${id}/helpful`)).status).toBe(404);
    expect((await ada.post(`/feedback/${id}/reply`, { message: "Late." })).status).toBe(404);
    expect((await ada.post(`/feedback/${id}/approve`)).status).toBe(404);
  }
  await expect.poll(() => leftOf(going.id), { timeout: 5_000 }).toBe(0);
  expect((await ada.get(`/feedback/${stays.id}`)).body.helpfulCount).toBe(1);
  expect((await ada.get(`/projects/${staying.id}/feedback`)).body.pagination.total).toBe(1);
});

test("C-PROJ-5: feedback, marks and replies concurrent with a deletion leave no records behind", async () => {
  for (let round = 0; round < 4; round += 1) {
    const project = await aProject(ada);
    const feedback = await aFeedback(tom, project.id);
    const draft = await aFeedback(tom, project.id, { status: "draft" });
    const [deleted, ...others] = await Promise.all([
      ada.delete(`/projects/${project.id}`),
      tom.post(`/projects/${project.id}/feedback`, fullFeedback),
      ada.post(`/projects/${project.id}/feedback`, { overallRating: 1, status: "draft" }),
      tom.patch(`/feedback/${draft.id}`, { status: "submitted" }),
      ada.post(`/feedback/${feedback.id}/helpful`),
      ada.post(`/feedback/${feedback.id}/reply`, { message: "Thanks." }),
      ada.post(`/feedback/${feedback.id}/approve`),
      ada.patch(`/projects/${project.id}`, { title: "Too late?" }),
    ]);
    expect(deleted.status).toBe(200);
    for (const { status } of others) expect([200, 201, 404]).toContain(status);
    expect(await server.database.projects.countDocuments({ _id: project.id })).toBe(0);
    await expect.poll(() => leftOf(project.id), { timeout: 5_000 }).toBe(0);
  }
  expect(await verifyCounts(server.database)).toEqual([]);
});

test("S-PROJ-DELETE-1: of many concurrent deletions exactly one succeeds", async () => {
  const { id } = await aProject(ada);
  const before = await total("/projects");
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => (await ada.delete(`/projects/${id}`)).status),
  );
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 404)]);
  expect(await total("/projects")).toBe(before - 1);
});
