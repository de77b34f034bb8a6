import { expect, test } from "vitest";
import { NetworkError, ServiceUnavailableError, TimeoutError } from "../src/index.ts";
import { errorResponse, failure, json, type Step, scripted } from "./harness/scripted.ts";

/** Never responds; the second also ignores its signal. */
const silent: Step = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
const unresponsive: Step = () => new Promise(() => {});
const endless: Step = () =>
  new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("{")) }));

test.each([
  ["a server that never answers", silent],
  ["a fetch that ignores its signal", unresponsive],
  ["a body that never ends", endless],
])("attemptTimeout ends %s, and the next attempt can succeed", async (_, step) => {
  const { client, requests, signals } = scripted([step, json({ id: "prj_1" })], { attemptTimeout: 30 });
  expect((await client.projects.get("prj_1")).id).toBe("prj_1");
  expect(requests).toHaveLength(2);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
});

test("the last attempt's timeout is a TimeoutError", async () => {
  const { client } = scripted([silent], { attemptTimeout: 10, maxRetries: 1 });
  const error = await failure(client.projects.get("prj_1"));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error.message).toMatch(/no answer within 10 ms/);
});

test("totalTimeout limits the whole call, attempts and waits together", async () => {
  const started = performance.now();
  const { client } = scripted([silent], { attemptTimeout: 40, totalTimeout: 100 });
  expect(await failure(client.projects.get("prj_1"))).toBeInstanceOf(TimeoutError);
  expect(performance.now() - started).toBeLessThan(1000);
});

test("a wait that would end after totalTimeout is not started, and the call fails at once", async () => {
  const started = performance.now();
  const { client } = scripted([errorResponse(503, { "retry-after": "20" })]);
  expect(await failure(client.projects.get("prj_1", { totalTimeout: 10_000 }))).toBeInstanceOf(ServiceUnavailableError);
  expect(performance.now() - started).toBeLessThan(5000);
});

test("timeouts may be Infinity, and an undefined option is ignored", async () => {
  const { client } = scripted([json({ id: "prj_1" })], { attemptTimeout: Infinity, totalTimeout: Infinity });
  await client.projects.get("prj_1");
  const absent = { attemptTimeout: undefined, maxRetries: undefined, signal: undefined } as unknown as object;
  await client.projects.get("prj_1", absent);
});

test.each([
  ["an error", new Error("mine")],
  ["anything", { any: "thing" }],
])("the reason of an abort is kept: %s", async (_, reason) => {
  const during = new AbortController();
  const { client } = scripted([silent]);
  const answer = failure(client.projects.get("prj_1", { signal: during.signal }));
  setTimeout(() => during.abort(reason), 10);
  expect(await answer).toBe(reason);
  expect(await failure(client.projects.get("prj_1", { signal: AbortSignal.abort(reason) }))).toBe(reason);
});

test("an abort works during a wait, while reading, and in the path client", async () => {
  const reason = new Error("mine");
  const sleeping = new AbortController();
  const waiting = scripted([errorResponse(503, { "retry-after": "20" })], {
    onRetry: () => void setTimeout(() => sleeping.abort(reason), 10),
  });
  expect(await failure(waiting.client.projects.get("prj_1", { signal: sleeping.signal }))).toBe(reason);
  expect(waiting.requests).toHaveLength(1);

  const reading = new AbortController();
  const body = scripted([endless]);
  setTimeout(() => reading.abort(reason), 10);
  expect(await failure(body.client.projects.get("prj_1", { signal: reading.signal }))).toBe(reason);

  const byPath = new AbortController();
  const { paths } = scripted([silent]);
  setTimeout(() => byPath.abort(reason), 10);
  expect(await failure(paths.GET("/projects", { signal: byPath.signal }))).toBe(reason);
});

test("a call with an aborted signal sends nothing", async () => {
  const { client, requests } = scripted([json({})]);
  const error = await failure<DOMException>(client.projects.get("prj_1", { signal: AbortSignal.abort() }));
  expect(error.name).toBe("AbortError");
  expect(requests).toHaveLength(0);
});

test("a shared signal has at most one listener, however many calls", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  const { client } = scripted([errorResponse(503), json({})]);
  await Promise.all(Array.from({ length: 20 }, () => client.projects.get("prj_1", { signal })));
  expect(listeners).toBeLessThanOrEqual(1);
});

test("the options of a call are checked like those of the client", async () => {
  const { client, requests } = scripted([json({})]);
  for (const options of [{ attemptTimeout: -1 }, { maxRetries: Number.NaN }]) {
    expect(await failure(client.projects.get("prj_1", options))).toBeInstanceOf(TypeError);
  }
  expect(requests).toHaveLength(0);
});
