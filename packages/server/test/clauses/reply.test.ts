import { expect, test } from "vitest";
import { useProject } from "../harness/fixture.ts";
import { aFeedback, fullFeedback } from "../harness/samples.ts";

const { server, ada, bob, tom, projectId } = await useProject();

const submitted = () => aFeedback(tom, projectId, fullFeedback as never);

test("S-FB-REPLY-1: the response to a reply is the stored reply, which the detail shows", async () => {
  const { id, bugs } = await submitted();
  const resolvedItems = bugs.map((bug) => bug.id).toReversed();
  const began = Date.now();
  const { status, body } = await ada.post(`/feedback/${id}/reply`, {
    message: " Fixed in 2.1 \ud83c\udf31 ",
    resolvedItems,
  });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["success", "developerResponse"]);
  expect(body.success).toBe(true);
  expect(Object.keys(body.developerResponse)).toEqual(["message", "resolvedItems", "createdAt"]);
  expect(body.developerResponse).toMatchObject({ message: " Fixed in 2.1 \ud83c\udf31 ", resolvedItems });
  expect(Date.parse(body.developerResponse.createdAt)).toBeGreaterThanOrEqual(began);
  expect((await tom.get(`/feedback/${id}`)).body.developerResponse).toEqual(body.developerResponse);
});

test("C-REPLY-1: resolvedItems defaults to an empty array", async () => {
  const { id } = await submitted();
  const { body } = await ada.post(`/feedback/${id}/reply`, { message: "Thanks." });
  expect(body.developerResponse.resolvedItems).toEqual([]);
});

test("C-REPLY-1: a later reply replaces the earlier one, including its resolved items", async () => {
  const { id, bugs } = await submitted();
  await ada.post(`/feedback/${id}/reply`, { message: "First.", resolvedItems: [bugs[0]?.id] });
  const { body } = await ada.post(`/feedback/${id}/reply`, { message: "Second." });
  const kept = (await tom.get(`/feedback/${id}`)).body.developerResponse;
  expect(kept).toEqual(body.developerResponse);
  expect(kept).toMatchObject({ message: "Second.", resolvedItems: [] });
});

test("C-REPLY-1: resolvedItems may name only bugs of this feedback, and each other id is a fault", async () => {
  const [one, other] = [await submitted(), await submitted()];
  const [own, foreign] = [one.bugs[0]?.id, other.bugs[0]?.id];
  for (const [resolvedItems, places] of [
    [[foreign], [0]],
    [
      [own, "bug_none", own, foreign],
      [1, 3],
    ],
    [
      ["", "__proto__", "length"],
      [0, 1, 2],
    ],
    [[one.id], [0]],
    [["\ud800"], [0]],
  ] as const) {
    const { status, body } = await ada.post(`/feedback/${one.id}/reply`, { message: "Fixed.", resolvedItems });
    expect(status).toBe(400);
    expect(body.details.map(({ at }: { at: string }) => at)).toEqual(places.map((place) => `/resolvedItems/${place}`));
  }
  expect((await tom.get(`/feedback/${one.id}`)).body.developerResponse).toBeNull();
});

test("C-REPLY-1: a bug that is named twice is listed once", async () => {
  const { id, bugs } = await submitted();
  const resolvedItems = [bugs[0]?.id, bugs[0]?.id];
  const { status, body } = await ada.post(`/feedback/${id}/reply`, { message: "Fixed.", resolvedItems });
  expect([status, body.developerResponse.resolvedItems]).toEqual([200, [bugs[0]?.id]]);
});

test.each([
  [{}, "/message"],
  [{ message: null }, "/message"],
  [{ message: "" }, "/message"],
  [{ message: " \n\u3000" }, "/message"],
  [{ message: 1 }, "/message"],
  [{ message: "x".repeat(5_001) }, "/message"],
  [{ message: "x", resolvedItems: null }, "/resolvedItems"],
  [{ message: "x", resolvedItems: "bug_1" }, "/resolvedItems"],
  [{ message: "x", resolvedItems: [1] }, "/resolvedItems/0"],
  [{ message: "x", resolvedItems: [{ $ne: "" }] }, "/resolvedItems/0"],
  [{ message: "x", createdAt: "2026-01-01T00:00:00.000Z" }, "/createdAt"],
])("C-REQ-1 C-STRICT-1 C-BOUND-1: a reply of %o gets a 400 at %s", async (sent, at) => {
  const { id } = await submitted();
  const { status, body } = await ada.post(`/feedback/${id}/reply`, sent);
  expect(status).toBe(400);
  expect(body.details[0]).toMatchObject({ in: "body", at });
});

test("S-ROLE-1: a tester's reply gets a 403, even on its own feedback", async () => {
  const { id } = await submitted();
  const tim = await server.account({ role: "tester" });
  for (const tester of [tom, tim]) {
    const { status, body } = await tester.post(`/feedback/${id}/reply`, { message: "Hello." });
    expect([status, body.error]).toEqual([403, "Forbidden"]);
  }
  expect((await tom.get(`/feedback/${id}`)).body.developerResponse).toBeNull();
});

test("C-REPLY-1: a developer who does not own the project gets a 403, even as the author", async () => {
  const own = await aFeedback(bob, projectId);
  for (const id of [(await submitted()).id, own.id]) {
    expect((await bob.post(`/feedback/${id}/reply`, { message: "Hello." })).status).toBe(403);
  }
});

test("C-REPLY-1: the owner may reply to its own feedback; nobody can reply to a draft", async () => {
  const own = await aFeedback(ada, projectId);
  expect((await ada.post(`/feedback/${own.id}/reply`, { message: "To myself." })).status).toBe(200);
  const draft = await aFeedback(ada, projectId, { status: "draft" });
  expect((await ada.post(`/feedback/${draft.id}/reply`, { message: "Too soon." })).status).toBe(409);
});

test.each(["approve", "reject"])(
  "S-FB-REPLY-1: a reply is kept after the owner's %s, and is still possible then",
  async (verb) => {
    const { id } = await submitted();
    await ada.post(`/feedback/${id}/reply`, { message: "Before." });
    expect((await ada.post(`/feedback/${id}/${verb}`)).body.developerResponse.message).toBe("Before.");
    expect((await ada.post(`/feedback/${id}/reply`, { message: "After." })).body.developerResponse.message).toBe(
      "After.",
    );
  },
);

test("C-REPLY-1: of many concurrent replies exactly one is kept, complete", async () => {
  const { id, bugs } = await submitted();
  const replies = Array.from({ length: 6 }, (_, place) => ({
    message: `Reply ${place}`,
    resolvedItems: [bugs[place % 2]?.id],
  }));
  const answers = await Promise.all(replies.map((reply) => ada.post(`/feedback/${id}/reply`, reply)));
  for (const { status } of answers) expect(status).toBe(200);
  const { message, resolvedItems } = (await tom.get(`/feedback/${id}`)).body.developerResponse;
  expect(replies).toContainEqual({ message, resolvedItems });
});
