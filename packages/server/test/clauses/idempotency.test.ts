import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { operations } from "../../src/operations/index.ts";
import type { Caller } from "../harness/caller.ts";
import { useProject } from "../harness/fixture.ts";
import { sendRaw } from "../harness/raw.ts";
import { aFeedback, aProject, fullProject } from "../harness/samples.ts";
import { startServer } from "../harness/server.ts";

const { server, ada, bob, tom, projectId } = await useProject();

/** A new Idempotency-Key, as a header. */
const once = () => ({ "Idempotency-Key": randomUUID() });
const total = async (caller: Caller, path: string) => (await caller.get(path)).body.pagination.total;

test("C-IDEM-1: creating a project again with the same key returns the first response, with its Location", async () => {
  const header = once();
  const before = await total(ada, "/projects");
  const [first, second] = [
    await ada.post("/projects", fullProject, header),
    await ada.post("/projects", fullProject, header),
  ];
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(second.headers.get("Location")).toBe(first.headers.get("Location"));
  expect(second.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
  expect(await total(ada, "/projects")).toBe(before + 1);
});

test("C-IDEM-1: feedback, marks, replies, moderation and changes are each executed once", async () => {
  const feedback = await aFeedback(tom, projectId);
  const draft = await aFeedback(tom, projectId, { status: "draft" });
  const writes: (() => Promise<unknown>)[] = [
    [tom, "post", `/projects/${projectId}/feedback`, { overallRating: 2 }],
    [bob, "post", `/feedback/${feedback.id}/helpful`],
    [ada, "post", `/feedback/${feedback.id}/reply`, { message: "Thanks." }],
    [ada, "post", `/feedback/${feedback.id}/approve`],
    [tom, "patch", `/feedback/${draft.id}`, { status: "submitted" }],
    [ada, "patch", `/projects/${projectId}`, { title: "Changed" }],
  ].map(([caller, method, path, body]) => {
    const header = once();
    return async () => {
      const send = () => (caller as Caller)[method as "post" | "patch"](path as string, body, header);
      const [first, second] = [await send(), await send()];
      expect([second.status, second.text], String(path)).toEqual([first.status, first.text]);
      expect(second.status, String(path)).toBeLessThan(300);
    };
  });
  for (const write of writes) await write();
  const { stats } = (await ada.get(`/projects/${projectId}`)).body;
  expect(stats.feedbackCount).toBe(3);
});

test("C-IDEM-1: the first response is returned, whatever happened since", async () => {
  const header = once();
  const { body } = await ada.post("/projects", fullProject, header);
  await ada.patch(`/projects/${body.id}`, { title: "Changed since" });
  expect((await ada.post("/projects", fullProject, header)).body).toEqual(body);
  await ada.delete(`/projects/${body.id}`);
  expect((await ada.post("/projects", fullProject, header)).body).toEqual(body);
  expect((await ada.get(`/projects/${body.id}`)).status).toBe(404);
});

test("C-IDEM-1: the same key with another body gets a 422 and changes nothing", async () => {
  const header = once();
  await ada.post("/projects", fullProject, header);
  const before = await total(ada, "/projects");
  for (const changed of [{ title: "Another" }, { isPublic: false }, { status: "draft" }, { projectUrl: null }]) {
    const { status, body } = await ada.post("/projects", { ...fullProject, ...changed }, header);
    expect([status, body.error]).toEqual([422, "Unprocessable Content"]);
  }
  expect(await total(ada, "/projects")).toBe(before);
  expect((await ada.post("/projects", fullProject, header)).status).toBe(201);
});

test("C-IDEM-1: the same key from another account, for another path or with another method is a different key", async () => {
  const header = once();
  const [one, two] = [await aProject(ada), await aProject(ada)];
  const created = [await ada.post("/projects", fullProject, header), await bob.post("/projects", fullProject, header)];
  expect(new Set(created.map(({ body }) => body.id)).size).toBe(2);
  for (const { id } of [one, two]) {
    expect((await ada.patch(`/projects/${id}`, { title: "Same" }, header)).body).toMatchObject({ id, title: "Same" });
    expect((await ada.post(`/projects/${id}/feedback`, { overallRating: 1 }, header)).body.projectId).toBe(id);
  }
  const { id } = await aFeedback(tom, one.id);
  expect((await ada.post(`/feedback/${id}/helpful`, undefined, header)).status).toBe(200);
  expect((await ada.post(`/feedback/${id}/approve`, undefined, header)).status).toBe(200);
});

test("C-IDEM-1: all API keys of an account share its Idempotency-Keys", async () => {
  const header = once();
  const { body } = await ada.post("/projects", fullProject, header);
  expect((await (await server.anotherKey(ada)).post("/projects", fullProject, header)).body).toEqual(body);
});

test("C-IDEM-1: of 20 concurrent requests with one key, one is executed; the others get its response or a 409", async () => {
  const header = once();
  const before = await total(ada, "/projects");
  const answers = await Promise.all(Array.from({ length: 20 }, () => ada.post("/projects", fullProject, header)));
  const done = answers.filter(({ status }) => status === 201);
  expect(done.length).toBeGreaterThan(0);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  for (const { status } of answers) expect([201, 409]).toContain(status);
  expect(await total(ada, "/projects")).toBe(before + 1);
  expect((await ada.post("/projects", fullProject, header)).text).toBe(done[0]?.text);
});

test("C-IDEM-1: two servers on one database execute a request once", async () => {
  const other = await startServer({ databaseName: server.databaseName });
  try {
    const there = await other.anotherKey(ada);
    const header = once();
    const before = await total(ada, "/projects");
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) => (place % 2 ? ada : there).post("/projects", fullProject, header)),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(await total(ada, "/projects")).toBe(before + 1);
    const last = await Promise.all([ada, there].map((caller) => caller.post("/projects", fullProject, header)));
    expect(last[0]?.text).toBe(last[1]?.text);
  } finally {
    await other.stop();
  }
});

test("C-IDEM-1: while the first request is running, the same key gets a 409; afterwards it gets the first response", async () => {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const createProject: typeof operations.createProject = async (...args) => {
    entered.resolve();
    await release.promise;
    return operations.createProject(...args);
  };
  const slow = await startServer({ operations: { ...operations, createProject } });
  try {
    const eve = await slow.account();
    const header = once();
    const running = eve.post("/projects", fullProject, header);
    await entered.promise;
    const { status, body, headers } = await eve.post("/projects", fullProject, header);
    expect([status, body.error, headers.get("Retry-After")]).toEqual([409, "Conflict", "1"]);
    release.resolve();
    expect((await running).status).toBe(201);
    expect((await eve.post("/projects", fullProject, header)).text).toBe((await running).text);
  } finally {
    await slow.stop();
  }
});

test("C-IDEM-1: a refusal is repeated too, even when its reason no longer exists", async () => {
  const { id } = await aProject(ada);
  await ada.patch(`/projects/${id}`, { status: "completed" });
  const header = once();
  const send = () => tom.post(`/projects/${id}/feedback`, { overallRating: 4 }, header);
  const first = await send();
  expect(first.status).toBe(409);
  await ada.patch(`/projects/${id}`, { status: "active" });
  const second = await send();
  expect([second.status, second.text]).toEqual([409, first.text]);
  expect((await tom.post(`/projects/${id}/feedback`, { overallRating: 4 }, once())).status).toBe(201);
  const none = once();
  for (const _ of [1, 2]) expect((await tom.patch("/feedback/none", {}, none)).status).toBe(404);
  expect((await tom.patch("/feedback/none", { overallRating: 1 }, none)).status).toBe(422);
});

test("C-IDEM-1: a failed write leaves neither its changes nor its key, so the same request can succeed later", async () => {
  let failures = 1;
  const createProject: typeof operations.createProject = async (...args) => {
    const done = await operations.createProject(...args);
    if (failures-- > 0) throw new Error("after the work, before its record");
    return done;
  };
  const failing = await startServer({ operations: { ...operations, createProject } });
  try {
    const eve = await failing.account();
    const header = once();
    expect((await eve.post("/projects", fullProject, header)).status).toBe(500);
    expect(await total(eve, "/projects")).toBe(0);
    expect(await failing.database.answers.countDocuments()).toBe(0);
    expect((await eve.post("/projects", fullProject, header)).status).toBe(201);
    expect((await eve.post("/projects", fullProject, header)).status).toBe(201);
    expect(await total(eve, "/projects")).toBe(1);
  } finally {
    await failing.stop();
  }
});

test("C-IDEM-1: a first response is stored for 24 hours", async () => {
  const [index] = (await server.database.answers.indexes()).filter(({ expireAfterSeconds }) => expireAfterSeconds);
  expect([index?.key, index?.expireAfterSeconds]).toEqual([{ createdAt: 1 }, 86_400]);
});

test("C-IDEM-1: the key has 1 to 255 visible characters", async () => {
  const send = (...values: string[]) =>
    sendRaw(ada, "PATCH", `/v1/projects/${projectId}`, {
      headers: ["Content-Type", "application/json", ...values.flatMap((value) => ["Idempotency-Key", value])],
      body: "{}",
    });
  for (const key of ["a", "!\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~", "x".repeat(255), "__proto__"]) {
    expect((await send(key)).status, key).toBe(200);
  }
  for (const keys of [[""], ["a b"], ["x".repeat(256)], ["\u00e9"], ["a\tb"], ["a", "b"]]) {
    const { status, body } = await send(...keys);
    expect(status, String(keys)).toBe(400);
    expect(body.details[0]).toMatchObject({ in: "header", at: "idempotency-key" });
  }
});

test("C-IDEM-1: requests without a key are each executed", async () => {
  const [one, two] = await Promise.all([ada.post("/projects", fullProject), ada.post("/projects", fullProject)]);
  expect(one?.body.id).not.toBe(two?.body.id);
});

test("C-IDEM-1: a repeated request counts against the allowance like any other", async () => {
  const header = once();
  const remaining = async () =>
    Number((await ada.post("/projects", fullProject, header)).headers.get("X-RateLimit-Remaining"));
  const first = await remaining();
  expect(await remaining()).toBe(first - 1);
});
