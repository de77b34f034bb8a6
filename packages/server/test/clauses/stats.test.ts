import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

/** One second, plus time for a loaded machine. */
const soon = { timeout: 3_000, interval: 50 };

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test("C-STATS-1: HEAD counts no view", async () => {
  const [ada, reader] = await Promise.all([server.account(), server.account()]);
  const { id } = await aProject(ada);
  for (let count = 0; count < 5; count += 1) await reader.send("HEAD", `/projects/${id}`);
  await reader.get(`/projects/${id}`);
  const views = async () => (await ada.get(`/projects/${id}`)).body.stats.views;
  await vi.waitFor(async () => expect(await views()).toBe(1), soon);
});

test("C-STATS-1: views counts reads of the detail by anyone but the owner, within 1 s", async () => {
  const [ada, bob, tom] = await Promise.all([server.account(), server.account(), server.account({ role: "tester" })]);
  const again = await server.anotherKey(ada);
  const { id } = await aProject(ada);
  const readers = [ada, again, bob, tom, tom];
  for (const reader of readers) await reader.get(`/projects/${id}`);
  await tom.get("/projects");
  await tom.get(`/projects/${id}/feedback`);
  await tom.patch(`/projects/${id}`, { title: "No" });
  const views = async () => (await ada.get(`/projects/${id}`)).body.stats.views;
  await vi.waitFor(async () => expect(await views()).toBe(3), soon);
  await Promise.all(Array.from({ length: 40 }, () => bob.get(`/projects/${id}`)));
  await vi.waitFor(async () => expect(await views()).toBe(43), soon);
  // A change by the owner keeps the views.
  await ada.patch(`/projects/${id}`, { title: "Changed" });
  expect(await views()).toBe(43);
});

test("C-STATS-1: a refused read is not a view", async () => {
  const [ada, bob] = await Promise.all([server.account(), server.account()]);
  const hidden = await aProject(ada, { isPublic: false });
  await bob.get(`/projects/${hidden.id}`);
  const shown = await aProject(ada);
  await server.stranger().get(`/projects/${shown.id}`);
  await bob.get(`/projects/${shown.id}?x=1`);
  await bob.get(`/projects/${shown.id}`);
  const views = async (id: string) => (await ada.get(`/projects/${id}`)).body.stats.views;
  await vi.waitFor(async () => expect(await views(shown.id)).toBe(1), soon);
  expect(await views(hidden.id)).toBe(0);
});

test("C-STATS-1: the counts follow every change of the feedback's status", async () => {
  const [ada, tom, tim] = await Promise.all([
    server.account(),
    server.account({ role: "tester" }),
    server.account({ role: "tester" }),
  ]);
  const { id } = await aProject(ada);
  const stats = async () => {
    const { feedbackCount, testerRequests, approvedTesters } = (await ada.get(`/projects/${id}`)).body.stats;
    return [feedbackCount, testerRequests, approvedTesters];
  };
  expect(await stats()).toEqual([0, 0, 0]);
  const draft = await aFeedback(tom, id, { status: "draft" });
  expect(await stats()).toEqual([0, 0, 0]);
  await tom.patch(`/feedback/${draft.id}`, { overallRating: 2 });
  expect(await stats()).toEqual([0, 0, 0]);
  await tom.patch(`/feedback/${draft.id}`, { status: "submitted" });
  expect(await stats()).toEqual([1, 1, 0]);
  const second = await aFeedback(tom, id);
  expect(await stats()).toEqual([2, 1, 0]);
  const third = await aFeedback(tim, id);
  expect(await stats()).toEqual([3, 2, 0]);
  await ada.post(`/feedback/${draft.id}/approve`);
  expect(await stats()).toEqual([3, 2, 1]);
  await ada.post(`/feedback/${second.id}/approve`);
  expect(await stats()).toEqual([3, 2, 1]);
  await ada.post(`/feedback/${third.id}/reject`);
  expect(await stats()).toEqual([3, 2, 1]);
  // A refused change counts nothing.
  await ada.post(`/feedback/${third.id}/approve`);
  await tim.post(`/projects/${id}/feedback`, { overallRating: 9 });
  expect(await stats()).toEqual([3, 2, 1]);
  await aFeedback(ada, id);
  expect(await stats()).toEqual([4, 3, 1]);
});

test("C-STATS-1: concurrent feedback by many authors is counted exactly", async () => {
  const ada = await server.account();
  const testers = await Promise.all(Array.from({ length: 8 }, () => server.account({ role: "tester" })));
  const { id } = await aProject(ada);
  const feedback = await Promise.all([...testers, ...testers].map((tester) => aFeedback(tester, id)));
  await Promise.all(feedback.slice(0, 5).map((one) => ada.post(`/feedback/${one.id}/approve`)));
  expect((await ada.get(`/projects/${id}`)).body.stats).toEqual({
    views: 0,
    testerRequests: 8,
    approvedTesters: 5,
    feedbackCount: 16,
  });
  expect((await ada.get(`/projects/${id}/feedback?status=approved`)).body.pagination.total).toBe(5);
});
