import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../harness/caller.ts";
import { sendRaw } from "../harness/raw.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let ada: Caller;
let bob: Caller;
let tom: Caller;
beforeAll(async () => {
  server = await startServer({
    config: { allowances: { free: 3, pro: 9e5, team: 9e5 }, addressAllowance: 9e5, trustedProxies: 0 },
  });
  [ada, bob, tom] = await Promise.all([server.account(), server.account(), server.account({ role: "tester" })]);
});
afterAll(() => server.stop());

const tooLong = " ".repeat(1_048_577);
const text = ["Content-Type", "text/plain"];
const json = ["Content-Type", "application/json"];
const wrong = '{"title":5,"status":"nowhere","x":1}';

test("C-ERR-3: without a key nothing else is checked, neither path, method, body nor query", async () => {
  const stranger = server.stranger();
  for (const [method, path, body] of [
    ["GET", "/v1/nothing", undefined],
    ["PUT", "/v1/projects", undefined],
    ["POST", "/v1/projects", tooLong],
    ["POST", "/v1/projects", "{"],
    ["GET", "/v1/projects?page=0&page=0", undefined],
    ["PATCH", "/v1/projects/none", wrong],
  ] as const) {
    const { status } = await sendRaw(stranger, method, path, { headers: text, ...(body && { body }) });
    expect(status, `${method} ${path}`).toBe(401);
  }
});

test("C-ERR-3: a request beyond the allowance gets a 429, whatever else is wrong with it", async () => {
  const poor = await server.account({ plan: "free" });
  for (const _ of [1, 2, 3]) await poor.get("/nothing");
  expect((await sendRaw(poor, "GET", "/v1/nothing")).status).toBe(429);
  expect((await sendRaw(poor, "PUT", "/v1/projects")).status).toBe(429);
  expect((await sendRaw(poor, "POST", "/v1/projects", { headers: text, body: tooLong })).status).toBe(429);
  expect((await sendRaw(poor, "GET", "/v1/projects", { headers: ["Authorization", "Bearer none"] })).status).toBe(401);
});

test("C-ERR-3: path and method are checked before the body and the query", async () => {
  expect((await sendRaw(ada, "POST", "/v1/nothing?x=1", { headers: text, body: tooLong })).status).toBe(404);
  expect((await sendRaw(ada, "PUT", "/v1/projects?x=1", { headers: text, body: tooLong })).status).toBe(405);
  expect((await sendRaw(ada, "POST", "/v1/projects/none", { headers: text, body: "{" })).status).toBe(405);
});

test("C-ERR-3: the length of a body is checked first, then its type, its syntax, and the contract", async () => {
  const statusOf = async (method: string, path: string, headers: string[], body: string) =>
    (await sendRaw(tom, method, path, { headers, body })).status;
  for (const [method, path] of [
    ["POST", "/v1/projects?x=1"],
    ["PATCH", "/v1/projects/none?x=1"],
    ["POST", "/v1/projects/none/feedback?x=1"],
    ["PATCH", "/v1/feedback/none?x=1"],
    ["POST", "/v1/feedback/none/reply?x=1"],
  ] as const) {
    expect(await statusOf(method, path, text, tooLong), `${method} ${path}`).toBe(413);
    expect(await statusOf(method, path, text, "{"), `${method} ${path}`).toBe(415);
    expect(await statusOf(method, path, json, "{"), `${method} ${path}`).toBe(400);
    const { body } = await sendRaw(tom, method, path, { headers: json, body: "{" });
    expect(body.details).toMatchObject([{ in: "body", at: "" }]);
    expect(await statusOf(method, path, json, wrong), `${method} ${path}`).toBe(400);
  }
});

test("C-ERR-3: the contract is checked before existence, and existence before permission", async () => {
  // For a tester, who may not change any project.
  expect((await tom.patch("/projects/none", { title: 5 })).status).toBe(400);
  expect((await tom.patch("/projects/none", { title: "Fine" })).status).toBe(404);
  expect((await tom.get("/projects/none?x=1")).status).toBe(400);
  expect((await tom.delete("/projects/none")).status).toBe(404);
  expect((await tom.post("/feedback/none/helpful")).status).toBe(404);
  expect((await tom.post("/feedback/none/reply", {})).status).toBe(400);
  expect((await tom.post("/feedback/none/reply", { message: "Hello." })).status).toBe(404);
  expect((await tom.post("/feedback/none/approve")).status).toBe(404);
  const hidden = await aProject(ada, { isPublic: false });
  expect((await tom.patch(`/projects/${hidden.id}`, { title: "Fine" })).status).toBe(404);
  expect((await tom.delete(`/projects/${hidden.id}`)).status).toBe(404);
});

test("C-ERR-3: the contract is checked before the role when the operation loads no record", async () => {
  expect((await tom.post("/projects", { title: 5 })).status).toBe(400);
  expect((await tom.post("/projects", { title: "a", description: "b", category: "web" })).status).toBe(403);
});

test("C-ERR-3: permission is checked before state", async () => {
  const { id } = await aProject(ada);
  const feedback = await aFeedback(tom, id);
  const own = await aFeedback(tom, id, { status: "draft" });
  // Both reasons apply to each request.
  expect((await bob.patch(`/projects/${id}`, { status: "draft" })).status).toBe(403);
  expect((await bob.patch(`/feedback/${feedback.id}`, { overallRating: 1 })).status).toBe(403);
  expect((await tom.post(`/feedback/${own.id}/helpful`)).status).toBe(403);
  expect((await tom.post(`/feedback/${own.id}/reply`, { message: "x" })).status).toBe(403);
  await ada.post(`/feedback/${feedback.id}/approve`);
  expect((await bob.post(`/feedback/${feedback.id}/reject`)).status).toBe(403);
  expect((await ada.post(`/feedback/${feedback.id}/reject`)).status).toBe(409);
});

test("C-ERR-3: visibility is checked before state: others do not learn whether a hidden project accepts feedback", async () => {
  const { id } = await aProject(ada, { status: "draft" });
  expect((await bob.post(`/projects/${id}/feedback`, { overallRating: 3 })).status).toBe(404);
  expect((await ada.post(`/projects/${id}/feedback`, { overallRating: 3 })).status).toBe(409);
  expect((await bob.post(`/projects/${id}/feedback`, { overallRating: 9 })).status).toBe(400);
});
