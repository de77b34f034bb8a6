import { expect, test } from "vitest";
import { NetworkError, ServiceUnavailableError, TimeoutError } from "../src/index.ts";
import { type Act, failure, json, refusal, scripted } from "./harness/scripted.ts";

/** Never answers; heeds its signal, or not even that. */
const silent: Act = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
const deaf: Act = () => new Promise(() => {});
const endless: Act = () =>
  new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("{")) }));

test.each([
  ["a server that never answers", silent],
  ["a fetch that heeds no signal", deaf],
  ["a body that never ends", endless],
])("attemptTimeout cuts off %s, and the next attempt may succeed", async (_, act) => {
  const { client, requests, signals } = scripted([act, json({ id: "prj_1" })], { attemptTimeout: 30 });
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

test("totalTimeout ends the whole call, attempts and waits together", async () => {
  const started = performance.now();
  const { client } = scripted([silent], { attemptTimeout: 40, totalTimeout: 100 });
  expect(await failure(client.projects.get("prj_1"))).toBeInstanceOf(TimeoutError);
  expect(performance.now() - started).toBeLessThan(1000);
});

test("a wait that would end after totalTimeout is not begun: the failure comes at once", async () => {
  const started = performance.now();
  const { client } = scripted([refusal(503, { "retry-after": "20" })]);
  expect(await failure(client.projects.get("prj_1", { totalTimeout: 10_000 }))).toBeInstanceOf(ServiceUnavailableError);
  expect(performance.now() - started).toBeLessThan(5000);
});

test("timeouts may be Infinity, and an undefined option is no option", async () => {
  const { client } = scripted([json({ id: "prj_1" })], { attemptTimeout: Infinity, totalTimeout: Infinity });
  await client.projects.get("prj_1");
  const absent = { attemptTimeout: undefined, maxRetries: undefined, signal: undefined } as unknown as object;
  await client.projects.get("prj_1", absent);
});

test.each([
  ["an error", new Error("mine")],
  ["anything", { any: "thing" }],
])("an abort's own reason is kept: %s", async (_, reason) => {
  const during = new AbortController();
  const { client } = scripted([silent]);
  const answer = failure(client.projects.get("prj_1", { signal: during.signal }));
  setTimeout(() => during.abort(reason), 10);
  expect(await answer).toBe(reason);
  expect(await failure(client.projects.get("prj_1", { signal: AbortSignal.abort(reason) }))).toBe(reason);
});

test("an abort is heard while it sleeps, while it reads, and by the client for paths", async () => {
  const reason = new Error("mine");
  const sleeping = new AbortController();
  const waiting = scripted([refusal(503, { "retry-after": "20" })], {
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

test("a call that is aborted beforehand sends nothing", async () => {
  const { client, requests } = scripted([json({})]);
  const error = await failure<DOMException>(client.projects.get("prj_1", { signal: AbortSignal.abort() }));
  expect(error.name).toBe("AbortError");
  expect(requests).toHaveLength(0);
});

test("no listener stays on a signal that many calls share", async () => {
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
  const { client } = scripted([refusal(503), json({})]);
  await client.projects.get("prj_1", { signal });
  expect(listeners).toBe(0);
});

test("a call's own options are checked as the client's are", async () => {
  const { client, requests } = scripted([json({})]);
  for (const options of [{ attemptTimeout: -1 }, { maxRetries: Number.NaN }]) {
    expect(await failure(client.projects.get("prj_1", options))).toBeInstanceOf(TypeError);
  }
  expect(requests).toHaveLength(0);
});
