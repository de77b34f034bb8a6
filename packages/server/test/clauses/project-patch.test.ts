import { expect, test } from "vitest";
import { sendRaw } from "../harness/raw.ts";
import { aProject, fullProject } from "../harness/samples.ts";
import { startServer, useServer } from "../harness/server.ts";

const server = await useServer();
const ada = await server.account();

const full = () => aProject(ada, fullProject as never);

test.each([
  { title: "Another title" },
  { description: "Another description." },
  { title: "Both", description: "at once." },
  { category: "other" },
  { screenshots: ["https://example.com/new.png"] },
  { screenshots: [] },
  { projectUrl: "http://example.org" },
  { projectUrl: null },
  { isPublic: false },
  { testingRequirements: { minTesters: 1, maxTesters: 2, feedbackTypes: [] } },
  { testingRequirements: null },
  { status: "completed" },
])("S-PROJ-PATCH-1 C-PROJ-2 C-SHOW-1: %j changes these fields and no other", async (changes) => {
  const before = await full();
  const { status, body } = await ada.patch(`/projects/${before.id}`, changes);
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, ...changes, updatedAt: body.updatedAt });
  expect(body.updatedAt >= before.updatedAt).toBe(true);
  expect((await ada.get(`/projects/${before.id}`)).body).toEqual(body);
});

test("C-PROJ-2: testingRequirements is replaced as a whole: fields that are not sent are removed", async () => {
  const { id } = await full();
  const { body } = await ada.patch(`/projects/${id}`, { testingRequirements: { maxTesters: 5 } });
  expect(body.testingRequirements).toEqual({ minTesters: null, maxTesters: 5, feedbackTypes: [] });
  const small = await ada.patch(`/projects/${id}`, { testingRequirements: { minTesters: 9 } });
  expect(small.body.testingRequirements).toEqual({ minTesters: 9, maxTesters: null, feedbackTypes: [] });
});

test("C-PROJ-2: an empty object changes nothing, not even updatedAt", async () => {
  const before = await full();
  const { status, body } = await ada.patch(`/projects/${before.id}`, {});
  expect([status, body]).toEqual([200, before]);
});

test("S-PROJ-PATCH-1: the same values are accepted again, and no field except updatedAt changes", async () => {
  const before = await full();
  const { body } = await ada.patch(`/projects/${before.id}`, { ...fullProject, status: "active" });
  expect(body).toEqual({ ...before, updatedAt: body.updatedAt });
});

test("S-PROJ-PATCH-1: updatedAt increases with a change, and createdAt never changes", async () => {
  let now = new Date("2026-05-05T05:05:05.000Z");
  const clockwork = await startServer({ now: () => now });
  try {
    const eve = await clockwork.account();
    const { id } = await aProject(eve);
    now = new Date("2026-05-05T05:05:06.000Z");
    const later = (await eve.patch(`/projects/${id}`, { title: "Later" })).body;
    expect([later.createdAt, later.updatedAt]).toEqual(["2026-05-05T05:05:05.000Z", "2026-05-05T05:05:06.000Z"]);
    now = new Date("2026-01-01T00:00:00.000Z");
    const earlier = (await eve.patch(`/projects/${id}`, { title: "Clock set back" })).body;
    expect(earlier.updatedAt).toBe("2026-05-05T05:05:06.000Z");
  } finally {
    await clockwork.stop();
  }
});

test.each([
  { title: null },
  { description: null },
  { category: null },
  { screenshots: null },
  { isPublic: null },
  { status: null },
  { title: "" },
  { title: " " },
  { title: 1 },
  { title: ["a"] },
  { title: { $set: "a" } },
  { isPublic: "true" },
  { isPublic: 0 },
  { screenshots: "https://example.com" },
  { screenshots: [null] },
  { screenshots: { 0: "https://example.com" } },
  { projectUrl: "" },
  { testingRequirements: [] },
  { testingRequirements: { minTesters: 3, maxTesters: 2 } },
  { testingRequirements: { feedbackTypes: null } },
  { status: "deleted" },
  { id: "prj_0" },
  { ownerId: "acc_0" },
  { stats: { views: 9 } },
  { "counts.views": 9 },
  { $set: { title: "x" } },
  { createdAt: "2020-01-01T00:00:00.000Z" },
])("C-PROJ-2 C-STRICT-1: %j gets a 400 and changes nothing", async (changes) => {
  const before = await full();
  const { status, body } = await ada.patch(`/projects/${before.id}`, { description: "Not kept.", ...changes });
  expect(status).toBe(400);
  expect(body.details[0].at).toContain(`/${Object.keys(changes)[0]}`);
  expect((await ada.get(`/projects/${before.id}`)).body).toEqual(before);
});

const mergePatch = { "Content-Type": "application/merge-patch+json" };

test("C-PATCH-1: a merge patch merges testingRequirements member by member, application/json replaces it", async () => {
  const { id, testingRequirements } = await full();
  const merged = await ada.patch(`/projects/${id}`, { testingRequirements: { minTesters: 4 } }, mergePatch);
  expect([merged.status, merged.body.testingRequirements]).toEqual([200, { ...testingRequirements, minTesters: 4 }]);
  const removed = { testingRequirements: { maxTesters: null, feedbackTypes: null }, screenshots: null };
  const { body } = await ada.patch(`/projects/${id}`, removed, mergePatch);
  expect(body.testingRequirements).toEqual({ minTesters: 4, maxTesters: null, feedbackTypes: [] });
  expect(body.screenshots).toEqual([]);
  const replaced = await ada.patch(`/projects/${id}`, { testingRequirements: { maxTesters: 9 } });
  expect(replaced.body.testingRequirements).toEqual({ minTesters: null, maxTesters: 9, feedbackTypes: [] });
  const cleared = await ada.patch(`/projects/${id}`, { testingRequirements: null }, mergePatch);
  expect(cleared.body.testingRequirements).toBeNull();
  const begun = await ada.patch(`/projects/${id}`, { testingRequirements: { minTesters: 2 } }, mergePatch);
  expect(begun.body.testingRequirements).toEqual({ minTesters: 2, maxTesters: null, feedbackTypes: [] });
});

test("C-PATCH-1: the result of a merge must meet the contract", async () => {
  const { id } = await full();
  for (const [changes, at] of [
    [{ testingRequirements: { minTesters: 21 } }, "/testingRequirements"],
    [{ title: null }, "/title"],
    [{ isPublic: null }, "/isPublic"],
    [{ testingRequirements: { other: null } }, "/testingRequirements/other"],
    [[{ title: "a" }], ""],
  ] as const) {
    const { status, body } = await ada.patch(`/projects/${id}`, changes, mergePatch);
    expect([status, body.details?.[0]?.at], JSON.stringify(changes)).toEqual([400, at]);
  }
});

test("C-PATCH-1: the types of a PATCH are matched whatever their case and parameters", async () => {
  const { id } = await full();
  for (const type of [
    "application/merge-patch+json",
    "Application/Merge-Patch+JSON; charset=utf-8",
    "application/json",
  ]) {
    const changes = { title: type, projectUrl: null };
    const { status, body } = await ada.patch(`/projects/${id}`, changes, { "Content-Type": type });
    expect([status, body.title, body.projectUrl]).toEqual([200, type, null]);
  }
});

test("C-PATCH-1: a PATCH of another type gets a 415 with Accept-Patch; a POST gets one without", async () => {
  const { id } = await full();
  const types = ["application/json-patch+json", "text/plain", "application/x-www-form-urlencoded", "application/*"];
  for (const type of types) {
    for (const path of [`/v1/projects/${id}`, "/v1/feedback/none"]) {
      const sent = { headers: ["Content-Type", type], body: '{"title":"x"}' };
      const { status, headers } = await sendRaw(ada, "PATCH", path, sent);
      expect(status, type).toBe(415);
      expect(headers["accept-patch"]).toMatch(/application\/json\b.*application\/merge-patch\+json/);
    }
  }
  const post = await ada.post("/projects", fullProject, { "Content-Type": "application/merge-patch+json" });
  expect(post.status).toBe(415);
  expect(post.headers.get("Accept-Patch")).toBeNull();
});
