import { expect, test } from "vitest";
import { NetworkError, TimeoutError } from "../src/index.ts";
import { connectionReset, errorResponse, failure, json, type Step, scripted } from "./harness/scripted.ts";

const silent: Step = () => new Promise<Response>(() => {});

/** A client whose hooks note when an attempt starts and ends. */
function noted(steps: Step[], options = {}) {
  const notes: string[] = [];
  const { client, paths } = scripted(steps, {
    onRequest: ({ attempt }) => void notes.push(`start ${attempt}`),
    onResponse: ({ attempt, status }) => void notes.push(`end ${attempt}: ${status}`),
    onError: ({ attempt, error, duration }) => void notes.push(`end ${attempt}: ${error.name} ${duration >= 0}`),
    ...options,
  });
  return { client, paths, notes };
}

test("every attempt that starts ends in onResponse or onError, including the last network failure", async () => {
  const { client, paths, notes } = noted([errorResponse(503), connectionReset()], { maxRetries: 2 });
  expect(await failure(client.projects.get("prj_1"))).toBeInstanceOf(NetworkError);
  const all = ["start 1", "end 1: 503", "start 2", "end 2: NetworkError true", "start 3", "end 3: NetworkError true"];
  expect(notes).toEqual(all);
  notes.length = 0;
  await failure(paths.GET("/projects"));
  expect(notes.filter((note) => note.startsWith("start"))).toHaveLength(3);
  expect(notes.filter((note) => note.startsWith("end"))).toHaveLength(3);
});

test("so does one that is too slow, canceled, or broken in the body", async () => {
  const broken: Step = () => new Response(new ReadableStream({ pull: (body) => body.error(connectionReset()) }));
  const slow = noted([silent], { attemptTimeout: 5, maxRetries: 0 });
  expect(await failure(slow.client.projects.get("prj_1"))).toBeInstanceOf(TimeoutError);
  expect(slow.notes).toEqual(["start 1", "end 1: TimeoutError true"]);

  const reason = new Error("mine");
  const causes: unknown[] = [];
  const canceled = noted([silent], { onError: ({ error }: { error: Error }) => void causes.push(error.cause) });
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 5);
  expect(await failure(canceled.client.projects.get("prj_1", { signal: controller.signal }))).toBe(reason);
  expect(causes).toEqual([reason]);

  const cut = noted([broken, json({})]);
  await cut.client.projects.get("prj_1");
  expect(cut.notes).toEqual(["start 1", "end 1: NetworkError true", "start 2", "end 2: 200"]);
});

test("an attempt that an unexpected body ends is an onResponse", async () => {
  const { client, notes } = noted([new Response("<h1>Hello</h1>"), json({})]);
  await client.projects.get("prj_1");
  expect(notes).toEqual(["start 1", "end 1: 200", "start 2", "end 2: 200"]);
});

test("what onError throws ends the call", async () => {
  const mine = new Error("mine");
  const onError = () => {
    throw mine;
  };
  expect(await failure(scripted([connectionReset()], { onError }).client.projects.get("prj_1"))).toBe(mine);
});
