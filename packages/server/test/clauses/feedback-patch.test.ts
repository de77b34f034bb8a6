import type { components } from "@project-feedback/spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../harness/caller.ts";
import { aFeedback, aProject, fullFeedback } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

type Feedback = components["schemas"]["Feedback"];

let server: TestServer;
let ada: Caller;
let tom: Caller;
let projectId: string;
beforeAll(async () => {
  server = await startServer();
  [ada, tom] = await Promise.all([server.account(), server.account({ role: "tester" })]);
  projectId = (await aProject(ada)).id;
});
afterAll(() => server.stop());

const aDraft = (author = tom): Promise<Feedback> =>
  aFeedback(author, projectId, { ...(fullFeedback as object), status: "draft" });

test.each([
  { overallRating: 1 },
  { generalComments: "Something else." },
  { generalComments: null },
  { generalComments: "" },
  { overallRating: 5, generalComments: "Both." },
  { uiFeedback: { design: 1, colors: "a", typography: "b", layout: "c" } },
  { uiFeedback: null },
  { uxFeedback: null, uiFeedback: null },
  { bugs: [] },
  {},
])("S-FB-PATCH-1 C-FB-1: %j changes these fields of a draft and no other", async (changes) => {
  const before = await aDraft();
  const { status, body } = await tom.patch(`/feedback/${before.id}`, changes);
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, ...changes, updatedAt: body.updatedAt });
  expect(body.updatedAt >= before.updatedAt).toBe(true);
  expect((await tom.get(`/feedback/${before.id}`)).body).toEqual(body);
});

test("C-FB-1: a nested object is replaced as a whole: fields that are not sent are removed", async () => {
  const { id } = await aDraft();
  const { body } = await tom.patch(`/feedback/${id}`, { uiFeedback: { layout: "Only this." }, uxFeedback: {} });
  expect(body.uiFeedback).toEqual({ design: null, colors: null, typography: null, layout: "Only this." });
  expect(body.uxFeedback).toEqual({ navigation: null, flow: null, usability: null, suggestions: null });
});

test("C-PATCH-1: a merge patch merges uiFeedback and uxFeedback member by member, and replaces bugs", async () => {
  const draft = await aDraft();
  const mergePatch = { "Content-Type": "application/merge-patch+json" };
  const { body } = await tom.patch(
    `/feedback/${draft.id}`,
    { uiFeedback: { layout: "New." }, uxFeedback: { navigation: null } },
    mergePatch,
  );
  expect(body).toEqual({
    ...{ ...draft, updatedAt: body.updatedAt },
    uiFeedback: { ...draft.uiFeedback, layout: "New." },
    uxFeedback: { ...draft.uxFeedback, navigation: null },
  });
  const emptied = await tom.patch(`/feedback/${draft.id}`, { uxFeedback: null, bugs: null }, mergePatch);
  expect(emptied.body).toEqual({ ...body, uxFeedback: null, bugs: [], updatedAt: emptied.body.updatedAt });
});

test("C-FB-1: a bug that is sent with its id keeps it, one without an id gets a new one, and one that is left out is removed", async () => {
  const draft = await aDraft();
  const [first, second] = draft.bugs as [Feedback["bugs"][0], Feedback["bugs"][0]];
  const fresh = { description: "New.", severity: "low" };
  const { body } = await tom.patch(`/feedback/${draft.id}`, { bugs: [fresh, { ...second, description: "Changed." }] });
  expect(body.bugs.map(({ description }: { description: string }) => description)).toEqual(["New.", "Changed."]);
  expect(body.bugs[1]).toEqual({ ...second, description: "Changed." });
  expect([first.id, second.id]).not.toContain(body.bugs[0].id);
  const again = await tom.patch(`/feedback/${draft.id}`, { bugs: body.bugs.toReversed() });
  expect(again.body.bugs).toEqual(body.bugs.toReversed());
  // An id that was removed cannot be used again.
  expect((await tom.patch(`/feedback/${draft.id}`, { bugs: [first] })).status).toBe(400);
});

test("C-FB-1: a bug is replaced as a whole too", async () => {
  const draft = await aDraft();
  const [{ id, description }] = draft.bugs as [Feedback["bugs"][0]];
  const { body } = await tom.patch(`/feedback/${draft.id}`, { bugs: [{ id, description, severity: "critical" }] });
  expect(body.bugs).toEqual([{ id, description, severity: "critical", screenshot: null, stepsToReproduce: null }]);
});

test("C-FB-1: bug ids that belong to other feedback, are unknown or are repeated get a 400 that lists each", async () => {
  const [draft, other] = [await aDraft(), await aDraft()];
  const bug = { description: "x", severity: "low" };
  const [own, foreign] = [draft.bugs[0]?.id, other.bugs[0]?.id];
  for (const [ids, places] of [
    [[foreign], [0]],
    [[own, own], [1]],
    [
      [own, "bug_none", foreign],
      [1, 2],
    ],
    [
      ["", "__proto__", "constructor"],
      [0, 1, 2],
    ],
  ] as const) {
    const { status, body } = await tom.patch(`/feedback/${draft.id}`, { bugs: ids.map((id) => ({ ...bug, id })) });
    expect(status).toBe(400);
    expect(body.details.map(({ at }: { at: string }) => at)).toEqual(places.map((place) => `/bugs/${place}/id`));
  }
  for (const id of [null, 1, { $ne: "" }]) {
    expect((await tom.patch(`/feedback/${draft.id}`, { bugs: [{ ...bug, id }] })).status).toBe(400);
  }
  expect((await tom.get(`/feedback/${draft.id}`)).body).toEqual(draft);
});

test("C-FB-1 S-FB-PATCH-1: status submitted submits the draft together with the other changes", async () => {
  const draft = await aDraft();
  const { body } = await tom.patch(`/feedback/${draft.id}`, { status: "submitted", overallRating: 2 });
  expect(body).toEqual({ ...draft, status: "submitted", overallRating: 2, updatedAt: body.updatedAt });
  expect((await ada.get(`/feedback/${draft.id}`)).body).toEqual(body);
});

test.each([
  { overallRating: null },
  { overallRating: 0 },
  { overallRating: "4" },
  { bugs: null },
  { uiFeedback: { design: 6 } },
  { status: "draft" },
  { status: "approved" },
  { status: null },
  { testerId: "acc_0" },
  { projectId: "prj_0" },
  { helpfulCount: 9 },
  { developerResponse: null },
  { id: "fb_0" },
  { "uiFeedback.design": 1 },
  { $inc: { helpfulCount: 1 } },
])("C-FB-1 C-STRICT-1: %j gets a 400 and does not change the draft", async (changes) => {
  const draft = await aDraft();
  const { status, body } = await tom.patch(`/feedback/${draft.id}`, { generalComments: "Not kept.", ...changes });
  expect(status).toBe(400);
  expect(body.details[0].at).toContain(`/${Object.keys(changes)[0]}`);
  expect((await tom.get(`/feedback/${draft.id}`)).body).toEqual(draft);
});

test.each(["submitted", "approved", "rejected"])(
  "S-FB-PATCH-2 C-FB-2: feedback that is %s cannot be changed",
  async (state) => {
    const { id } = await aFeedback(tom, projectId, fullFeedback as never);
    if (state !== "submitted") await ada.post(`/feedback/${id}/${state === "approved" ? "approve" : "reject"}`);
    const before = (await tom.get(`/feedback/${id}`)).body;
    expect(before.status).toBe(state);
    for (const changes of [
      { overallRating: 1 },
      { generalComments: "Late." },
      { status: "submitted" },
      { bugs: [] },
      {},
    ]) {
      const { status, body } = await tom.patch(`/feedback/${id}`, changes);
      expect([status, body.error]).toEqual([409, "Conflict"]);
    }
    expect((await tom.get(`/feedback/${id}`)).body).toEqual(before);
  },
);

test("C-FB-2: only the author may change feedback; others who see it get a 403, whatever its status", async () => {
  const { id } = await aFeedback(tom, projectId);
  for (const other of [ada, await server.account(), await server.account({ role: "tester" })]) {
    expect((await other.patch(`/feedback/${id}`, { overallRating: 1 })).status).toBe(403);
  }
  const own = await aDraft(ada);
  expect((await ada.patch(`/feedback/${own.id}`, { overallRating: 1 })).status).toBe(200);
});

test.each(["completed", "archived"])(
  "C-FB-3: while its project is %s, a draft can be changed but not submitted",
  async (status) => {
    const { id } = await aProject(ada);
    const draft = await aFeedback(tom, id, { status: "draft" });
    await ada.patch(`/projects/${id}`, { status });
    expect((await tom.patch(`/feedback/${draft.id}`, { status: "submitted" })).status).toBe(409);
    expect((await tom.patch(`/feedback/${draft.id}`, { overallRating: 1 })).body.overallRating).toBe(1);
    await ada.patch(`/projects/${id}`, { status: "active" });
    expect((await tom.patch(`/feedback/${draft.id}`, { status: "submitted" })).body.status).toBe("submitted");
  },
);

test("S-FB-PATCH-2: of a concurrent change and submission, no change is accepted after the submission", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await aDraft();
    const [submitted, changed] = await Promise.all([
      tom.patch(`/feedback/${id}`, { status: "submitted" }),
      tom.patch(`/feedback/${id}`, { overallRating: 1 }),
    ]);
    expect(submitted.status).toBe(200);
    const after = (await tom.get(`/feedback/${id}`)).body;
    expect(after).toMatchObject({ status: "submitted", overallRating: changed.status === 200 ? 1 : 4 });
    expect([200, 409]).toContain(changed.status);
  }
});
