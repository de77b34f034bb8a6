import { readFileSync } from "node:fs";
import { openapiJsonUrl } from "@project-feedback/spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../harness/caller.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const { components } = JSON.parse(readFileSync(openapiJsonUrl, "utf8"));
const documented: readonly string[] = components.schemas.ErrorCode.enum;

let server: TestServer;
let ada: Caller;
let bob: Caller;
let tom: Caller;
beforeAll(async () => {
  server = await startServer();
  [ada, bob, tom] = await Promise.all([server.account(), server.account(), server.account({ role: "tester" })]);
});
afterAll(() => server.stop());

test("C-ERR-5: each error body has the documented code of its cause", async () => {
  const { id } = await aProject(ada);
  const draft = await aFeedback(tom, id, { status: "draft" });
  const submitted = await aFeedback(tom, id);
  const own = await aFeedback(ada, id, { status: "draft" });
  await aProject(ada, { status: "draft" });
  const closed = await aProject(ada);
  await ada.patch(`/projects/${closed.id}`, { status: "archived" });
  const key = { "Idempotency-Key": "once" };
  await ada.post("/projects", { title: "a", description: "b", category: "web" }, key);
  const caused: [code: string, response: Promise<{ status: number; body: unknown }>][] = [
    ["invalid_request", ada.post("/projects", {})],
    ["role_required", tom.post("/projects", { title: "a", description: "b", category: "web" })],
    ["not_owner", bob.delete(`/projects/${id}`)],
    ["not_author", bob.patch(`/feedback/${submitted.id}`, { overallRating: 1 })],
    ["path_not_found", ada.get("/nothing")],
    ["project_not_found", ada.get("/projects/none")],
    ["feedback_not_found", ada.get(`/feedback/${draft.id}`)],
    ["method_not_allowed", ada.send("PUT", "/projects")],
    ["not_draft", tom.patch(`/feedback/${submitted.id}`, { overallRating: 1 })],
    ["is_draft", ada.post(`/feedback/${own.id}/helpful`)],
    ["not_submitted", ada.post(`/feedback/${own.id}/approve`)],
    ["project_not_active", tom.post(`/projects/${closed.id}/feedback`, { overallRating: 1 })],
    ["invalid_transition", ada.patch(`/projects/${closed.id}`, { status: "draft" })],
    ["not_current", ada.patch(`/projects/${id}`, { title: "b" }, { "If-Match": '"other.0"' })],
    ["content_too_large", ada.post("/projects", { title: "a".repeat(1_100_000) })],
    ["unsupported_media_type", ada.post("/projects", {}, { "Content-Type": "text/plain" })],
    ["idempotency_key_reused", ada.post("/projects", { title: "b", description: "b", category: "web" }, key)],
  ];
  for (const [code, response] of caused) {
    const { body } = await response;
    expect(body, code).toMatchObject({ code });
    expect(documented).toContain(code);
  }
});

test("S-AUTH-2 C-ERR-5: the body of a 401 is exactly the stated one", async () => {
  const { body } = await server.stranger().get("/projects");
  expect(body).toEqual({ error: "Unauthorized", message: "Invalid or missing API key" });
});

test("C-RATE-4: RateLimit and RateLimit-Policy say what the stated headers say", async () => {
  for (const { headers } of [await ada.get("/projects"), await server.stranger().get("/projects")]) {
    const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) => headers.get(`X-RateLimit-${name}`));
    expect(headers.get("RateLimit-Policy")).toBe(`"hour";q=${limit};w=3600`);
    const [, left, seconds] = /^"hour";r=(\d+);t=(\d+)$/.exec(headers.get("RateLimit") ?? "") ?? [];
    expect(left).toBe(remaining);
    expect(Math.abs(Number(reset) - Date.now() / 1_000 - Number(seconds))).toBeLessThan(3);
  }
});

test("C-IDEM-1: a repeated response says Idempotency-Replayed, the first one and errors of their own do not", async () => {
  const sent = { title: "a", description: "b", category: "web" };
  const replayed = async (headers: Record<string, string>, fields: object = sent) =>
    (await ada.post("/projects", fields, headers)).headers.get("Idempotency-Replayed");
  expect(await replayed({ "Idempotency-Key": "replay-1" })).toBeNull();
  expect(await replayed({ "Idempotency-Key": "replay-1" })).toBe("true");
  expect(await replayed({ "Idempotency-Key": "replay-1" }, { ...sent, title: "c" })).toBeNull();
  expect(await replayed({})).toBeNull();
});
