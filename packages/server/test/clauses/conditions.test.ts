import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../harness/caller.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let ada: Caller;
let tom: Caller;
beforeAll(async () => {
  server = await startServer();
  [ada, tom] = await Promise.all([server.account(), server.account({ role: "tester" })]);
});
afterAll(() => server.stop());

const tagOf = async (path: string, caller = ada) => (await caller.get(path)).headers.get("ETag") ?? "";
const conditionally = (caller: Caller, path: string, list: string, method = "GET") =>
  caller.send(method, path, { headers: { "If-None-Match": list } });
const remove = (path: string, ifMatch: string) => ada.send("DELETE", path, { headers: { "If-Match": ifMatch } });

test("C-COND-1: every response that shows a record in full has the record's strong entity tag", async () => {
  const created = await ada.post("/projects", { title: "A", description: "B", category: "web" });
  const path = `/projects/${created.body.id}`;
  const read = await ada.get(path);
  expect(read.headers.get("ETag")).toMatch(/^"[!#-~]+"$/);
  expect(created.headers.get("ETag")).toBe(read.headers.get("ETag"));
  const changed = await ada.patch(path, { title: "C" });
  expect(changed.headers.get("ETag")).not.toBe(read.headers.get("ETag"));
  expect(changed.headers.get("ETag")).toBe(await tagOf(path));

  const draft = await tom.post(`${path}/feedback`, { overallRating: 3, status: "draft" });
  const submitted = await tom.patch(`/feedback/${draft.body.id}`, { status: "submitted" });
  const approved = await ada.post(`/feedback/${draft.body.id}/approve`);
  const tags = [draft, submitted, approved].map(({ headers }) => headers.get("ETag"));
  expect(new Set(tags).size).toBe(3);
  expect(tags[2]).toBe(await tagOf(`/feedback/${draft.body.id}`));
});

test("C-COND-1: a read with If-None-Match that names the tag is a 304 without content", async () => {
  const project = await aProject(ada);
  const feedback = await aFeedback(tom, project.id);
  for (const path of [`/projects/${project.id}`, `/feedback/${feedback.id}`]) {
    const tag = await tagOf(path);
    for (const list of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "third"`, "*"]) {
      for (const method of ["GET", "HEAD"]) {
        const { status, text, headers } = await conditionally(ada, path, list, method);
        expect([list, status, text]).toEqual([list, 304, ""]);
        expect(headers.get("ETag")).toBe(tag);
        expect(headers.get("X-RateLimit-Remaining")).toMatch(/^\d+$/);
        expect(headers.get("Content-Type")).toBeNull();
      }
    }
    for (const list of ['"other"', tag.slice(1, -1), tag.toUpperCase(), "", "W/*"]) {
      expect([list, (await conditionally(ada, path, list)).status]).toEqual([list, 200]);
    }
  }
});

test("C-COND-1: a change makes the tag stale for If-None-Match, and so does a count", async () => {
  const { id } = await aProject(ada);
  const { id: feedbackId } = await aFeedback(tom, id);
  const [project, feedback] = [`/projects/${id}`, `/feedback/${feedbackId}`];
  const before = [await tagOf(project), await tagOf(feedback)] as const;
  await ada.post(`${feedback}/helpful`);
  await aFeedback(tom, id);
  expect((await conditionally(ada, project, before[0])).status).toBe(200);
  expect((await conditionally(ada, feedback, before[1])).status).toBe(200);
});

test("C-COND-1: who may not see a record learns nothing of it from a condition", async () => {
  const { id } = await aProject(ada, { isPublic: false });
  const tag = await tagOf(`/projects/${id}`);
  for (const list of [tag, "*"]) expect((await conditionally(tom, `/projects/${id}`, list)).status).toBe(404);
  expect((await conditionally(ada, "/projects/none", "*")).status).toBe(404);
});

test("C-COND-1: of two clients that edit what both have read, the second gets 412 and changes nothing", async () => {
  const { id } = await aProject(ada);
  const path = `/projects/${id}`;
  const tag = await tagOf(path);
  const first = await ada.patch(path, { title: "First" }, { "If-Match": tag });
  expect(first.status).toBe(200);
  const second = await ada.patch(path, { title: "Second" }, { "If-Match": tag });
  expect(second.status).toBe(412);
  expect(second.body).toMatchObject({ error: "Precondition Failed", message: expect.stringContaining("If-Match") });
  expect((await ada.get(path)).body.title).toBe("First");
  const again = await ada.patch(path, { title: "Second" }, { "If-Match": first.headers.get("ETag") ?? "" });
  expect(again.status).toBe(200);
});

test("C-COND-1: of many edits of one state at once, on two processes, one succeeds", async () => {
  const other = await startServer({ databaseName: server.databaseName });
  const { id } = await aProject(ada);
  const tag = await tagOf(`/projects/${id}`);
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const url = `${n % 2 ? other.origin : server.origin}/v1/projects/${id}`;
      const headers = { Authorization: `Bearer ${ada.key}`, "Content-Type": "application/json", "If-Match": tag };
      return (await fetch(url, { method: "PATCH", headers, body: JSON.stringify({ title: `Edit ${n}` }) })).status;
    }),
  );
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 11 }, () => 412)]);
  await other.stop();
});

test("C-COND-1: If-Match takes lists and *, and compares strongly", async () => {
  const { id } = await aProject(ada);
  const path = `/projects/${id}`;
  const tag = await tagOf(path);
  for (const list of [`W/${tag}`, '"other"', tag.slice(1, -1), "", `"other", W/${tag}`]) {
    expect([list, (await ada.patch(path, { title: "No" }, { "If-Match": list })).status]).toEqual([list, 412]);
  }
  expect((await ada.patch(path, {}, { "If-Match": `"other", ${tag}` })).status).toBe(200);
  expect((await ada.patch(path, { title: "Any" }, { "If-Match": "*" })).status).toBe(200);
  expect((await ada.patch("/projects/none", { title: "Any" }, { "If-Match": "*" })).status).toBe(404);
});

test("C-COND-1: If-Match stays current while only views, feedback and marks are counted", async () => {
  const { id } = await aProject(ada);
  const { id: feedbackId } = await aFeedback(tom, id, { status: "draft" });
  const [project, draft] = [await tagOf(`/projects/${id}`), await tagOf(`/feedback/${feedbackId}`, tom)];
  await tom.get(`/projects/${id}`);
  const marked = await aFeedback(tom, id);
  await ada.post(`/feedback/${marked.id}/helpful`);
  await ada.post(`/feedback/${marked.id}/approve`);
  await expect.poll(async () => (await ada.get(`/projects/${id}`)).body.stats.views).toBe(1);
  expect(await tagOf(`/projects/${id}`)).not.toBe(project);
  expect((await ada.patch(`/projects/${id}`, { title: "Still" }, { "If-Match": project })).status).toBe(200);
  expect((await tom.patch(`/feedback/${feedbackId}`, { overallRating: 5 }, { "If-Match": draft })).status).toBe(200);
  expect((await tom.patch(`/feedback/${feedbackId}`, { overallRating: 4 }, { "If-Match": draft })).status).toBe(412);
});

test("C-COND-1: a project is deleted only while If-Match is current", async () => {
  const { id } = await aProject(ada);
  const path = `/projects/${id}`;
  const tag = await tagOf(path);
  await ada.patch(path, { title: "Changed" });
  expect((await remove(path, tag)).status).toBe(412);
  expect((await remove(path, `W/${await tagOf(path)}`)).status).toBe(412);
  expect((await ada.get(path)).body.title).toBe("Changed");
  expect((await remove(path, await tagOf(path))).status).toBe(200);
});

test("C-COND-1: permission is judged before the condition, the state after it", async () => {
  const { id } = await aProject(ada);
  const other = await server.account();
  expect((await other.patch(`/projects/${id}`, { title: "x" }, { "If-Match": '"stale"' })).status).toBe(403);
  expect((await ada.patch(`/projects/${id}`, { status: "draft" }, { "If-Match": '"stale"' })).status).toBe(412);
  expect((await ada.patch(`/projects/${id}`, { status: "draft" }, { "If-Match": "*" })).status).toBe(409);
});

test("C-COND-1: a conditional change that is repeated with its Idempotency-Key gets its first response", async () => {
  const { id } = await aProject(ada);
  const headers = { "If-Match": await tagOf(`/projects/${id}`), "Idempotency-Key": "condition-1" };
  const first = await ada.patch(`/projects/${id}`, { title: "Once" }, headers);
  const again = await ada.patch(`/projects/${id}`, { title: "Once" }, headers);
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers.get("ETag")).toBe(first.headers.get("ETag"));
});
