import { once } from "node:events";
import { STATUS_CODES } from "node:http";
import { connect } from "node:net";
import { MongoNetworkError } from "mongodb";
import { expect, test, vi } from "vitest";
import { operations } from "../../src/operations/index.ts";
import { connect as connectToDatabase } from "../../src/store/database.ts";
import type { Received } from "../harness/caller.ts";
import { sendRaw, sendText } from "../harness/raw.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, useServer } from "../harness/server.ts";

const server = await useServer();
const ada = await server.account();

test("C-ERR-1 C-ERR-2: every error has its reason phrase and a message, and only a 400 has details", async () => {
  const tom = await server.account({ role: "tester" });
  const { id } = await aProject(ada);
  const feedback = await aFeedback(tom, id);
  const json = { "Content-Type": "application/json" };
  const idempotent = { ...json, "Idempotency-Key": "once" };
  await ada.patch(`/projects/${id}`, { title: "One" }, idempotent);
  const refusals: [number, Received][] = [
    [400, await ada.get("/projects?page=0")],
    [401, await server.stranger().get("/projects")],
    [403, await tom.delete(`/projects/${id}`)],
    [404, await ada.get("/projects/none")],
    [405, await ada.send("PUT", "/projects")],
    [409, await tom.patch(`/feedback/${feedback.id}`, {})],
    [413, await ada.send("POST", "/projects", { headers: json, body: " ".repeat(1_048_577) })],
    [415, await ada.send("POST", "/projects", { headers: { "Content-Type": "text/plain" }, body: "{}" })],
    [422, await ada.patch(`/projects/${id}`, { title: "Two" }, idempotent)],
  ];
  for (const [status, { status: actual, body }] of refusals) {
    expect(actual).toBe(status);
    const phrase =
      status === 413 ? "Content Too Large" : status === 422 ? "Unprocessable Content" : STATUS_CODES[status];
    expect(body.error).toBe(phrase);
    expect(body.message).toMatch(status === 401 ? /^Invalid or missing API key$/ : /^[A-Z].*[^.]\.$/);
    const beside = status === 401 ? [] : status === 400 ? ["code", "details"] : ["code"];
    expect(Object.keys(body)).toEqual(["error", "message", ...beside]);
  }
});

test("C-ERR-1: a 400 lists every fault, with its place and what is expected", async () => {
  const { body } = await ada.post(
    "/projects?x=1",
    {
      title: "",
      category: "games",
      screenshots: ["https://example.com", "ftp://example.com"],
      testingRequirements: { minTesters: 0, maxTesters: "many", feedbackTypes: ["ui", "uz"] },
      "a/b~c": 1,
    },
    { "Idempotency-Key": "a b" },
  );
  const places = body.details.map((fault: { in: string; at: string }) => `${fault.in} ${fault.at}`);
  expect(new Set(places)).toEqual(
    new Set([
      "query x",
      "header idempotency-key",
      "body /title",
      "body /description",
      "body /category",
      "body /screenshots/1",
      "body /testingRequirements/minTesters",
      "body /testingRequirements/maxTesters",
      "body /testingRequirements/feedbackTypes/1",
      "body /a~1b~0c",
    ]),
  );
  for (const { message } of body.details) expect(message).toMatch(/^(is|must|has) /);
});

test("C-ERR-1: a fault names a parameter as it was sent", async () => {
  for (const name of ["a/b", "a~b", "~1", "search[$ne]", "\ud83c\udf31", "a b", ""]) {
    const { body } = await ada.get(`/projects?${encodeURIComponent(name)}=1`);
    expect(body.details).toMatchObject([{ in: "query", at: name }]);
  }
});

test("C-ERR-1: at most 20 faults are listed", async () => {
  const bugs = Array.from({ length: 50 }, () => ({ description: 1, severity: "none", screenshot: 2, x: 3 }));
  const { id } = await aProject(ada);
  const many = await ada.post(`/projects/${id}/feedback`, { overallRating: 3, bugs });
  expect(many.body.details).toHaveLength(20);
  const unknown = Object.fromEntries(Array.from({ length: 40 }, (_, place) => [`field${place}`, 1]));
  expect((await ada.patch(`/projects/${id}`, unknown)).body.details).toHaveLength(20);
  const query = Array.from({ length: 40 }, (_, place) => `q${place}=1`).join("&");
  expect((await ada.get(`/projects?${query}`)).body.details).toHaveLength(20);
});

test("C-ERR-1: checking any body of 1 MiB is fast", async () => {
  const { id } = await aProject(ada);
  const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
  const list = (item: string, times: number) => `[${Array.from({ length: times }, () => item).join()}]`;
  const project = (name: string, json: string) => `{"title":"a","description":"b","category":"web","${name}":${json}}`;
  const lists = deep("[", "]", 120_000);
  const objects = `${'{"a":'.repeat(80_000)}1${"}".repeat(80_000)}`;
  const bodies = [
    deep("[", "]", 500_000),
    project("title", lists),
    project("projectUrl", JSON.stringify(`https://${"a:".repeat(400_000)}@`)),
    project("screenshots", list("null", 200_000)),
    project("testingRequirements", `{"feedbackTypes":[${lists},${lists}]}`),
    project("testingRequirements", `{"feedbackTypes":[${objects},${objects}]}`),
    project("testingRequirements", `{"feedbackTypes":${list('{"a":1}', 120_000)}}`),
    project("testingRequirements", `{"feedbackTypes":${list('{"a":1}', 2_000)}}`),
    `{${Array.from({ length: 70_000 }, (_, place) => `"field${place}":1`).join()}}`,
  ];
  for (const [place, body] of bodies.entries()) {
    expect(body.length).toBeLessThanOrEqual(1_048_576);
    const began = performance.now();
    const { status } = await ada.send("POST", "/projects", { body, headers: { "Content-Type": "application/json" } });
    expect(status, `body ${place}`).toBe(400);
    expect(performance.now() - began, `body ${place}`).toBeLessThan(3_000);
  }
  const bugs = list('{"description":1,"severity":2,"screenshot":3,"stepsToReproduce":4,"x":5}', 12_000);
  const sent = { body: `{"overallRating":3,"bugs":${bugs}}`, headers: { "Content-Type": "application/json" } };
  expect((await ada.send("POST", `/projects/${id}/feedback`, sent)).status).toBe(400);
});

test.each([
  ["/projects", ["GET", "HEAD", "POST"]],
  ["/projects/none", ["DELETE", "GET", "HEAD", "PATCH"]],
  ["/projects/none/feedback", ["GET", "HEAD", "POST"]],
  ["/feedback/none", ["DELETE", "GET", "HEAD", "PATCH"]],
  ["/feedback/none/helpful", ["DELETE", "POST"]],
  ["/me", ["GET", "HEAD"]],
  ["/me/feedback", ["GET", "HEAD"]],
  ["/feedback/none/reply", ["POST"]],
  ["/feedback/none/approve", ["POST"]],
  ["/feedback/none/reject", ["POST"]],
])("C-ERR-2: %s accepts %j and answers every other method with 405 and Allow", async (path, allowed) => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]) {
    const { status, headers, body } = await sendRaw(ada, method, `/v1${path}`);
    if (allowed.includes(method)) expect(status, method).not.toBe(405);
    else {
      expect([status, body.error], method).toEqual([405, "Method Not Allowed"]);
      expect(String(headers.allow).split(", ").toSorted(), method).toEqual(allowed);
    }
  }
});

test("C-ERR-2: HEAD gets the response of GET without its body", async () => {
  const { id } = await aProject(ada);
  for (const path of [`/v1/projects/${id}`, "/v1/projects/none", "/v1/projects?page=0"]) {
    const [get, head] = [await sendRaw(ada, "GET", path), await sendRaw(ada, "HEAD", path)];
    expect([head.status, head.headers["content-length"], head.text]).toEqual([
      get.status,
      get.headers["content-length"],
      "",
    ]);
  }
});

test.each([
  ...[
    "/v1",
    "/v1/",
    "/v1/projects/",
    "/v1//projects",
    "/v1/Projects",
    "/v1/projects;x",
    "/v1/projects%2Fx",
    "/v1/feedback",
  ],
  ...[
    "/v1/./projects",
    "/v1/x/../projects",
    "/v1/projects/x/",
    "/v1/projects/x/feedback/",
    "/v1/projects/x/feedback/y",
  ],
  ...["/v1/feedback/x/Helpful", "/v1/feedback/x/__proto__", "/v1/constructor", "/v1/*", "/x", "//v1/projects", "*"],
])("C-ERR-2: the path %s gets a 404, with or without a trailing slash", async (path) => {
  const { status, body } = await sendRaw(ada, "GET", path);
  expect([status, body.error]).toEqual([404, "Not Found"]);
});

test.each([
  ["no Host", "GET /v1/projects HTTP/1.1\r\n\r\n", 400],
  ["no HTTP at all", "HELLO\r\n\r\n", 400],
  [
    "two lengths",
    "GET /v1/projects HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    400,
  ],
  ["huge headers", `GET /v1/projects HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ["an odd expectation", "GET /v1/projects HTTP/1.1\r\nHost: a\r\nExpect: luck\r\nConnection: close\r\n\r\n", 401],
  ["HTTP/1.0", "GET /v1/projects HTTP/1.0\r\n\r\n", 401],
])("C-ERR-1 C-ERR-4: %s gets an error in the usual format", async (_, text, status) => {
  const [head = "", body = ""] = (await sendText(server.origin, text)).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/^Content-Type: application\/json/im);
  expect(head).toMatch(/^X-Request-Id: [!-~]+\r?$/im);
  expect(JSON.parse(body)).toMatchObject({ error: expect.any(String), message: expect.any(String) });
});

test("C-ERR-2: a 500 reveals nothing internal; the log has the cause and the request's id", async () => {
  const listProjects = () => Promise.reject(new Error("secret: pool at db.internal"));
  const broken = await startServer({ operations: { ...operations, listProjects } });
  try {
    const eve = await broken.account();
    const { status, body, text, headers } = await eve.get("/projects");
    expect([status, body.error]).toEqual([500, "Internal Server Error"]);
    expect(text).not.toMatch(/secret|db\.internal|\bat\b.*:\d+/);
    const line = broken.logged.find((one) => one.includes(headers.get("X-Request-Id") ?? "?"));
    expect(line).toBeDefined();
    expect((await eve.get("/projects/none")).status).toBe(404);
  } finally {
    await broken.stop();
  }
});

test("C-ERR-2: while the database is unreachable, requests get a 503 with Retry-After that reveals nothing internal", async () => {
  const execute = () => connectToDatabase("mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=200") as never;
  const away = await startServer({ adapt: (parts) => ({ ...parts, execute }) });
  try {
    const { status, body, headers } = await (await away.account()).get("/projects");
    expect([status, body.error]).toEqual([503, "Service Unavailable"]);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(body.message).not.toMatch(/127\.0\.0\.1|mongo/i);
  } finally {
    await away.stop();
  }
});

test("C-ERR-2 C-IDEM-1: the 503 of a write that may have been done says so, and its Idempotency-Key makes it safe to repeat", async () => {
  let isLost = false;
  const lossy = await startServer({
    adapt: (parts) => ({
      ...parts,
      execute: async (...input) => {
        const response = await parts.execute(...input);
        if (isLost) throw new MongoNetworkError("connection closed");
        return response;
      },
    }),
  });
  try {
    const eve = await lossy.account();
    const { id } = await aProject(eve);
    const fields = { title: "Once", description: "At most.", category: "web" };
    const header = { "Idempotency-Key": "lost-1" };
    isLost = true;
    const lost = await eve.post("/projects", fields, header);
    const read = await eve.get(`/projects/${id}`);
    const deleted = await eve.delete(`/projects/${id}`);
    isLost = false;
    expect([lost.status, read.status, deleted.status]).toEqual([503, 503, 503]);
    expect(lost.body.message).toMatch(/may have been made: send it again with the same Idempotency-Key/);
    expect(deleted.body.message).toMatch(/may have been made: check/);
    expect(read.body.message).not.toMatch(/Idempotency-Key|may have been/);
    expect((await eve.post("/projects", fields, header)).status).toBe(201);
    expect((await eve.get("/projects")).body.pagination.total).toBe(1);
  } finally {
    await lossy.stop();
  }
});

test("a client that leaves during a response is a line in the log, not a stack on standard error", async () => {
  const printed = vi.spyOn(console, "error");
  const { hostname, port } = new URL(server.origin);
  const request = `GET /openapi.json HTTP/1.1\r\nHost: ${hostname}\r\nAccept-Encoding: gzip\r\n\r\n`;
  for (let left = 50; left > 0 && !server.logged.some((line) => line.includes("could not be sent")); left -= 1) {
    const socket = connect(Number(port), hostname);
    socket.write(request);
    await once(socket, "data");
    socket.resetAndDestroy();
    await once(socket, "close");
  }
  await expect.poll(() => server.logged.filter((line) => line.includes("could not be sent"))).not.toEqual([]);
  expect(printed).not.toHaveBeenCalled();
});
