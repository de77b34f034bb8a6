import { setTimeout as sleep } from "node:timers/promises";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { expect, test } from "vitest";
import { startTracing } from "../src/tracing.ts";
import { startServer } from "./harness/server.ts";

const spans: ReadableSpan[] = [];
const ignore = () => undefined;
const tracing = startTracing(
  { info: ignore, warn: ignore, error: ignore, debug: ignore },
  {
    export(batch, done) {
      spans.push(...batch);
      done({ code: 0 });
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  },
);
const server = await startServer({ tracing });
const owner = await server.account();

const traceId = "0af7651916cd43dd8448eb211c80319c";
const callersSpan = "b7ad6b7169203331";
const headers = { traceparent: `00-${traceId}-${callersSpan}-01` };
const project = { title: "A secret title", description: "A secret description.", category: "mobile" } as const;
const created = await owner.post("/projects", project, headers);
await owner.get("/projects?search=secretquery", { headers });
await owner.get("/projects/prj_none");
await server.account().then((other) => other.get("/nowhere"));
// The process that holds a lease says every second that it lives.
await sleep(2_500);
await server.stop();
await tracing.stop();

const named = (name: string) => spans.filter((span) => span.name === name);

test("a request has a span with its operation and status, below the caller's span, which the response and the log name", () => {
  const [span] = named("POST /v1/projects");
  expect(span?.attributes).toMatchObject({
    "http.request.method": "POST",
    "http.route": "/v1/projects",
    "http.response.status_code": 201,
    "project_feedback.operation": "createProject",
    "project_feedback.request_id": created.headers.get("X-Request-Id"),
  });
  expect(span?.parentSpanContext).toMatchObject({ traceId, spanId: callersSpan });
  expect(created.headers.get("traceresponse")).toBe(`00-${traceId}-${span?.spanContext().spanId}-01`);
  expect(server.logged.filter((line) => line.includes(traceId))).toHaveLength(2);
});

test("a request without traceparent begins a trace of its own, an unknown path has no route", () => {
  const [missing] = named("GET /v1/projects/{id}");
  expect(missing?.attributes["http.response.status_code"]).toBe(404);
  expect(missing?.spanContext().traceId).not.toBe(traceId);
  expect(named("GET").map(({ attributes }) => attributes["http.response.status_code"])).toEqual([404]);
});

test("the commands of a request are spans below its own", () => {
  const [parent] = named("POST /v1/projects");
  const below = spans.filter((span) => span.parentSpanContext?.spanId === parent?.spanContext().spanId);
  expect(below.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["insert projects", "update projectTallies", "commitTransaction"]),
  );
  const insert = below.find(({ name }) => name === "insert projects");
  expect(insert?.attributes).toEqual({
    "db.system.name": "mongodb",
    "db.namespace": server.databaseName,
    "db.operation.name": "insert",
    "db.collection.name": "projects",
  });
});

test("work in the background, which begins in a request and outlives it, has no spans", () => {
  const beats = named("update holders");
  expect(beats.length).toBeLessThanOrEqual(1);
});

test("no span has a key, a query or a body", () => {
  const text = JSON.stringify(
    spans.map(({ name, attributes, events, status, resource }) => [
      name,
      attributes,
      events,
      status,
      resource.attributes,
    ]),
  );
  expect(text).toContain("createProject");
  expect(text).not.toMatch(/pfs_|secret/);
});
