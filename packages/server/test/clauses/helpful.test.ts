import { expect, test } from "vitest";
import { useProject } from "../harness/fixture.ts";
import { aFeedback } from "../harness/samples.ts";

const { server, ada, bob, tom, projectId } = await useProject();

test("S-FB-HELP-1: a developer's mark is counted and shown in the detail", async () => {
  const { id } = await aFeedback(tom, projectId);
  const { status, body } = await ada.post(`/feedback/${id}/helpful`);
  expect([status, body]).toEqual([200, { success: true, helpfulCount: 1 }]);
  expect((await bob.post(`/feedback/${id}/helpful`)).body.helpfulCount).toBe(2);
  expect((await tom.get(`/feedback/${id}`)).body.helpfulCount).toBe(2);
});

test("C-HELP-1: a repeated mark by the same account succeeds and changes nothing, with any of its keys", async () => {
  const { id } = await aFeedback(tom, projectId);
  const again = await server.anotherKey(ada);
  for (const caller of [ada, ada, again]) {
    expect((await caller.post(`/feedback/${id}/helpful`)).body).toEqual({ success: true, helpfulCount: 1 });
  }
  expect((await bob.post(`/feedback/${id}/helpful`)).body.helpfulCount).toBe(2);
  expect((await ada.post(`/feedback/${id}/helpful`)).body.helpfulCount).toBe(2);
});

test("S-ROLE-1: a tester's mark gets a 403 and is not counted, on its own feedback too", async () => {
  const { id } = await aFeedback(tom, projectId);
  const tim = await server.account({ role: "tester" });
  for (const tester of [tom, tim]) {
    const { status, body } = await tester.post(`/feedback/${id}/helpful`);
    expect([status, body.error]).toEqual([403, "Forbidden"]);
  }
  expect((await ada.get(`/feedback/${id}`)).body.helpfulCount).toBe(0);
});

test.each(["approve", "reject"])(
  "C-HELP-1: feedback can be marked after the owner's %s, and keeps its marks",
  async (verb) => {
    const { id } = await aFeedback(tom, projectId);
    await bob.post(`/feedback/${id}/helpful`);
    expect((await ada.post(`/feedback/${id}/${verb}`)).body.helpfulCount).toBe(1);
    expect((await ada.post(`/feedback/${id}/helpful`)).body.helpfulCount).toBe(2);
  },
);

test("C-HELP-1: a mark on a draft gets a 409 for its author and a 404 for everyone else", async () => {
  const { id } = await aFeedback(bob, projectId, { status: "draft" });
  expect((await ada.post(`/feedback/${id}/helpful`)).status).toBe(404);
  expect((await tom.post(`/feedback/${id}/helpful`)).status).toBe(404);
  expect((await bob.post(`/feedback/${id}/helpful`)).status).toBe(409);
  // Permission comes before state.
  const ofTester = await aFeedback(tom, projectId, { status: "draft" });
  expect((await tom.post(`/feedback/${ofTester.id}/helpful`)).status).toBe(403);
});

test("C-HELP-1 S-FB-HELP-1: concurrent marks by many accounts are each counted once", async () => {
  const { id } = await aFeedback(tom, projectId);
  const developers = await Promise.all(Array.from({ length: 12 }, () => server.account()));
  const answers = await Promise.all([...developers, ...developers].map((one) => one.post(`/feedback/${id}/helpful`)));
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body.helpfulCount).toBeGreaterThanOrEqual(1);
    expect(body.helpfulCount).toBeLessThanOrEqual(12);
  }
  expect((await ada.get(`/feedback/${id}`)).body.helpfulCount).toBe(12);
  expect(await server.database.marks.countDocuments({ feedbackId: id })).toBe(12);
});

test("C-HELP-1: concurrent marks and other changes of the same feedback are all kept", async () => {
  const { id } = await aFeedback(tom, projectId);
  const answers = await Promise.all([
    ada.post(`/feedback/${id}/helpful`),
    bob.post(`/feedback/${id}/helpful`),
    ada.post(`/feedback/${id}/reply`, { message: "Thanks." }),
    ada.post(`/feedback/${id}/approve`),
  ]);
  for (const { status } of answers) expect(status).toBe(200);
  const { body } = await tom.get(`/feedback/${id}`);
  expect(body).toMatchObject({ helpfulCount: 2, status: "approved", developerResponse: { message: "Thanks." } });
});
