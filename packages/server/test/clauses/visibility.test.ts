import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyCounts } from "../../src/store/counts.ts";
import type { Caller, Received } from "../harness/caller.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let callers: Record<"owner" | "developer" | "tester", Caller>;
beforeAll(async () => {
  server = await startServer();
  const [owner, developer, tester] = await Promise.all([
    server.account(),
    server.account(),
    server.account({ role: "tester" }),
  ]);
  callers = { owner, developer, tester };
});
afterAll(() => server.stop());

const states = ["draft", "active", "completed", "archived"] as const;
const viewers = ["owner", "developer", "tester"] as const;

/** A project in a status, with feedback of the tester unless it is a draft. */
async function prepare(status: (typeof states)[number], isPublic: boolean) {
  const { owner, tester } = callers;
  const project = await aProject(owner, { status: status === "draft" ? "draft" : "active" });
  const feedback = status === "draft" ? null : await aFeedback(tester, project.id);
  await owner.patch(`/projects/${project.id}`, { status, isPublic });
  return { project, feedback };
}

describe.each(states.flatMap((status) => [true, false].map((isPublic) => ({ status, isPublic }))))(
  "a project that is $status, public $isPublic",
  ({ status, isPublic }) => {
    const open = isPublic && status !== "draft";

    test.each(viewers)("C-PROJ-4 C-FB-4: is visible to the %s exactly when it should be", async (name) => {
      const { project, feedback } = await prepare(status, isPublic);
      const viewer = callers[name];
      const seen = open || name === "owner";
      const read = seen ? 200 : 404;
      expect((await viewer.get(`/projects/${project.id}`)).status).toBe(read);
      const { data } = (await viewer.get("/projects?perPage=1")).body;
      expect(data[0]?.id === project.id).toBe(seen);
      expect((await viewer.get(`/projects/${project.id}/feedback`)).status).toBe(read);
      const submit = await viewer.post(`/projects/${project.id}/feedback`, { overallRating: 3 });
      expect(submit.status).toBe(!seen ? 404 : status === "active" ? 201 : 409);
      if (feedback) expect((await viewer.get(`/feedback/${feedback.id}`)).status).toBe(read);
    });

    test.each(viewers)("C-PROJ-4: can be changed and deleted only by its owner; tried by the %s", async (name) => {
      const { project } = await prepare(status, isPublic);
      const viewer = callers[name];
      const refused = name === "owner" ? 200 : open ? 403 : 404;
      expect((await viewer.patch(`/projects/${project.id}`, { title: "Seized" })).status).toBe(refused);
      expect((await viewer.patch(`/projects/${project.id}`, {})).status).toBe(refused);
      const before = (await callers.owner.get(`/projects/${project.id}`)).body;
      expect(before.title).toBe(name === "owner" ? "Seized" : "A project");
      expect((await viewer.delete(`/projects/${project.id}`)).status).toBe(refused);
      expect((await callers.owner.get(`/projects/${project.id}`)).status).toBe(name === "owner" ? 404 : 200);
    });
  },
);

test("C-PROJ-4: creating a project requires a developer's key", async () => {
  const sent = { title: "Mine", description: "Not to be.", category: "web" };
  const { status, body } = await callers.tester.post("/projects", sent);
  expect([status, body.error]).toEqual([403, "Forbidden"]);
  expect((await callers.developer.post("/projects", sent)).status).toBe(201);
});

test("C-PROJ-4: hiding and publishing a project hides and shows it and its feedback to others", async () => {
  const { owner, tester } = callers;
  const { id } = await aProject(owner);
  const feedback = await aFeedback(tester, id);
  const statuses = async () => [
    (await tester.get(`/projects/${id}`)).status,
    (await tester.get(`/projects/${id}/feedback`)).status,
    (await tester.get(`/feedback/${feedback.id}`)).status,
    (await tester.patch(`/feedback/${feedback.id}`, { overallRating: 1 })).status,
  ];
  expect(await statuses()).toEqual([200, 200, 200, 409]);
  await owner.patch(`/projects/${id}`, { isPublic: false });
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  await owner.patch(`/projects/${id}`, { isPublic: true });
  expect(await statuses()).toEqual([200, 200, 200, 409]);
});

test("C-FB-4: only its author sees a draft, on every path", async () => {
  const { owner, developer, tester } = callers;
  const { id } = await aProject(owner);
  const draft = await aFeedback(tester, id, { status: "draft" });
  const listed = async (caller: Caller) =>
    (await caller.get(`/projects/${id}/feedback`)).body.data.map((item: { id: string }) => item.id);
  expect((await tester.get(`/feedback/${draft.id}`)).status).toBe(200);
  expect(await listed(tester)).toEqual([draft.id]);
  for (const other of [owner, developer]) {
    expect(await listed(other)).toEqual([]);
    const answers: Received[] = [
      await other.get(`/feedback/${draft.id}`),
      await other.patch(`/feedback/${draft.id}`, {}),
      await other.post(`/feedback/${draft.id}/helpful`),
      await other.post(`/feedback/${draft.id}/reply`, { message: "Hello." }),
      await other.post(`/feedback/${draft.id}/approve`),
      await other.post(`/feedback/${draft.id}/reject`),
    ];
    for (const { status } of answers) expect(status).toBe(404);
  }
  await tester.patch(`/feedback/${draft.id}`, { status: "submitted" });
  for (const other of [owner, developer]) {
    expect((await other.get(`/feedback/${draft.id}`)).status).toBe(200);
    expect(await listed(other)).toEqual([draft.id]);
  }
});

test("C-PROJ-4 C-FB-4: a draft cannot be submitted to a project that its author no longer sees", async () => {
  const owner = await server.account();
  const author = await server.account({ role: "tester" });
  const { id } = await aProject(owner);
  const draft = await aFeedback(author, id, { status: "draft" });
  await owner.patch(`/projects/${id}`, { isPublic: false });
  expect((await author.patch(`/feedback/${draft.id}`, { status: "submitted" })).status).toBe(404);
  expect((await author.get(`/feedback/${draft.id}`)).body.status).toBe("draft");
  expect((await owner.get(`/projects/${id}`)).body.stats.feedbackCount).toBe(0);
});

test.each(["archived", "completed later"])(
  "C-PROJ-4: a draft that is archived before it was ever active stays its owner's alone (%s)",
  async (way) => {
    const { owner, developer, tester } = callers;
    const { id } = await aProject(owner, { status: "draft", title: "Unpublished" });
    const total = async (caller: Caller, query = "") => (await caller.get(`/projects${query}`)).body.pagination.total;
    const before = await total(tester);
    const ownArchived = await total(owner, "?status=archived");
    expect((await owner.patch(`/projects/${id}`, { status: "archived" })).status).toBe(200);
    for (const other of [developer, tester]) {
      expect((await other.get(`/projects/${id}`)).status).toBe(404);
      expect((await other.get(`/projects/${id}/feedback`)).status).toBe(404);
      expect((await other.post(`/projects/${id}/feedback`, { overallRating: 1 })).status).toBe(404);
      expect((await other.get("/projects?search=unpublished")).body.data).toEqual([]);
    }
    expect(await total(tester)).toBe(before);
    expect((await owner.get(`/projects/${id}`)).body.status).toBe("archived");
    expect(await total(owner, "?status=archived")).toBe(ownArchived + 1);
    expect((await owner.patch(`/projects/${id}`, { isPublic: true })).status).toBe(200);
    expect((await tester.get(`/projects/${id}`)).status).toBe(404);
    // Once it has been active, it stays visible in every status.
    expect((await owner.patch(`/projects/${id}`, { status: "active" })).status).toBe(200);
    if (way === "completed later") await owner.patch(`/projects/${id}`, { status: "completed" });
    await owner.patch(`/projects/${id}`, { status: "archived" });
    expect((await tester.get(`/projects/${id}`)).status).toBe(200);
    expect(await total(tester)).toBe(before + 1);
    await owner.delete(`/projects/${id}`);
    expect(await verifyCounts(server.database)).toEqual([]);
  },
);
