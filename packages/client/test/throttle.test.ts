import { expect, test } from "vitest";
import { TooManyRequestsError } from "../src/index.ts";
import { errorResponse, failure, json, scripted } from "./harness/scripted.ts";

/** A server that permits 10 requests a second, in windows or by refilling a bucket. */
function limited(kind: "windows" | "bucket", headers: (remaining: number, reset: number) => Record<string, string>) {
  let sent = 0;
  let tokens = 10;
  let refilled = performance.now();
  return scripted(
    [
      () => {
        sent++;
        const elapsed = performance.now() - refilled;
        if (kind === "bucket") tokens = Math.min(10, tokens + elapsed / 100);
        else if (elapsed >= 1000) tokens = 10;
        if (kind === "bucket" || elapsed >= 1000) refilled = performance.now();
        const own = headers(Math.floor(Math.max(0, tokens - 1)), Math.ceil(Date.now() / 1000) + 1);
        if (tokens < 1) return errorResponse(429, { "retry-after": "1", ...own });
        tokens--;
        return json({ id: String(sent) }, 200, own);
      },
    ],
    { retryDelay: 100 },
  );
}

const none = () => ({});
const all = (remaining: number, reset: number) => ({
  "x-ratelimit-limit": "10",
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(reset),
});

test.concurrent.each([
  ["windows", "no rate headers", none],
  ["windows", "rate headers", all],
  ["bucket", "no rate headers", none],
  ["bucket", "rate headers", all],
] as const)("100 calls against 10 per second use at most 130 requests: %s, %s", async (kind, _, headers) => {
  const { client, requests } = limited(kind, headers);
  await Promise.all(Array.from({ length: 100 }, () => client.projects.get("prj_1")));
  console.log(`${requests.length} requests`);
  expect(requests.length).toBeLessThanOrEqual(130);
});

test("a 429 pauses the other calls of the client, and of one made with withOptions, until it may go on", async () => {
  const at: number[] = [];
  const step = (response: () => Response) => () => {
    at.push(performance.now());
    return response();
  };
  const { client } = scripted([step(() => errorResponse(429, { "retry-after": "1" })), step(() => json({}))]);
  const first = client.projects.get("prj_1");
  await new Promise((resolve) => setTimeout(resolve, 20));
  await Promise.all([first, client.projects.get("prj_2"), client.withOptions({ headers: {} }).projects.get("prj_3")]);
  expect(at).toHaveLength(4);
  for (const time of at.slice(1)) expect(time - (at[0] ?? 0)).toBeGreaterThan(990);
});

test("a call that may not wait that long is sent at once, and gets its own 429", async () => {
  const { client, requests } = scripted([errorResponse(429, { "retry-after": "60" })]);
  for (let count = 0; count < 3; count++) {
    expect(await failure(client.projects.get("prj_1"))).toBeInstanceOf(TooManyRequestsError);
  }
  expect(await failure(client.projects.get("prj_1", { maxRetries: 0 }))).toBeInstanceOf(TooManyRequestsError);
  expect(requests).toHaveLength(4);
});

test("a waiting call can be canceled, and the others go on", async () => {
  const { client } = scripted([errorResponse(429, { "retry-after": "1" }), json({})]);
  const first = client.projects.get("prj_1");
  await new Promise((resolve) => setTimeout(resolve, 20));
  const reason = new Error("mine");
  const signal = AbortSignal.abort(reason);
  const controller = new AbortController();
  const waiting = failure(client.projects.get("prj_2", { signal: controller.signal }));
  controller.abort(reason);
  expect(await waiting).toBe(reason);
  expect(await failure(client.projects.get("prj_3", { signal }))).toBe(reason);
  await first;
});

test("calls beyond the first ten wait for a response, and then for as many as the allowance permits", async () => {
  const responses: (() => void)[] = [];
  const headers = { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "90", "x-ratelimit-reset": "60" };
  const { client, requests } = scripted([
    () => new Promise<Response>((resolve) => responses.push(() => resolve(json({}, 200, headers)))),
  ]);
  const calls = Promise.all(Array.from({ length: 60 }, () => client.projects.get("prj_1")));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(requests).toHaveLength(10);
  responses[0]?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(requests).toHaveLength(60);
  for (const respond of responses) respond();
  await calls;
});
