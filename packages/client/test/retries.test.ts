import { describe, expect, test, vi } from "vitest";
import { ApiError, NetworkError, ServiceUnavailableError, TooManyRequestsError } from "../src/index.ts";
import {
  connectionRefused,
  connectionReset,
  emptyPage,
  errorResponse,
  failure,
  json,
  scripted,
} from "./harness/scripted.ts";

const project = { title: "Garden", description: "Beds.", category: "web" } as const;
const keys = (requests: Request[]) => requests.map(({ headers }) => headers.get("idempotency-key"));
const html = (status: number) =>
  new Response("<h1>Bad Gateway</h1>", { status, headers: { "content-type": "text/html" } });

describe("a read is retried after", () => {
  test.each<[string, Response | Error | (() => Response)]>([
    ["a refused connection", connectionRefused()],
    ["a broken connection", connectionReset()],
    ["429", errorResponse(429)],
    ["502", html(502)],
    ["503", new Response(null, { status: 503 })],
    ["504", errorResponse(504)],
    ["a success with HTML", html(200)],
    ["a success without a body", new Response(null, { status: 200 })],
    ["a truncated success", new Response('{"data": [', { status: 200 })],
    [
      "a body that ends early",
      () => new Response(new ReadableStream({ pull: (body) => body.error(connectionReset()) })),
    ],
  ])("%s", async (_, step) => {
    const { client, paths, requests } = scripted([step, emptyPage()]);
    expect((await client.projects.list()).data).toEqual([]);
    expect(requests).toHaveLength(2);
    const again = scripted([step, emptyPage()]);
    expect((await again.paths.GET("/projects")).data?.data).toEqual([]);
    expect(again.requests).toHaveLength(2);
    expect(paths).toBeDefined();
  });
});

test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 418, 500, 501])("%i is not retried", async (status) => {
  const { client, requests } = scripted([errorResponse(status)]);
  expect(await failure(client.projects.create(project))).toMatchObject({ status });
  expect(requests).toHaveLength(1);
});

test("a write is retried with the same key and body, and each call has its own key", async () => {
  const { client, requests } = scripted([connectionReset(), html(502), json({ id: "prj_1" }, 201)]);
  await client.projects.create(project);
  await client.projects.update("prj_1", { title: "Other" });
  const [first, second, third, other] = keys(requests);
  expect(first).toMatch(/^[!-~]{16,255}$/);
  expect([second, third]).toEqual([first, first]);
  expect(other).not.toBe(first);
  const bodies = await Promise.all(requests.slice(0, 3).map((request) => request.json()));
  expect(bodies).toEqual([project, project, project]);
});

test("so is a write of the path client", async () => {
  const { paths, requests } = scripted([connectionReset(), html(502), json({ id: "prj_1" }, 201)]);
  const { data } = await paths.POST("/projects", { body: project });
  expect(data?.id).toBe("prj_1");
  expect(new Set(keys(requests)).size).toBe(1);
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([project, project, project]);
});

test("a read carries no key, and the caller's key is kept", async () => {
  const { client, paths, requests } = scripted([json({})]);
  await client.projects.get("prj_1");
  await client.projects.create(project, { idempotencyKey: "mine" });
  await client.projects.create(project, { headers: { "Idempotency-Key": "mine-too" } });
  await paths.POST("/projects", { body: project, params: { header: { "Idempotency-Key": "path" } } });
  await paths.POST("/projects", { body: project, idempotencyKey: "option" });
  expect(keys(requests)).toEqual([null, "mine", "mine-too", "path", "option"]);
});

describe("with idempotency: false", () => {
  test("a write carries no key and is retried only if it cannot have been processed", async () => {
    const { client, requests } = scripted([connectionRefused(), errorResponse(429), json({ id: "prj_1" }, 201)], {
      idempotency: false,
    });
    await client.projects.create(project);
    expect(keys(requests)).toEqual([null, null, null]);
  });

  test.each<[string, Response | Error]>([
    ["a broken connection", connectionReset()],
    ["502", html(502)],
    ["503", errorResponse(503)],
    ["504", errorResponse(504)],
    ["a success with HTML", html(200)],
  ])("a write is not retried after %s", async (_, step) => {
    const { client, requests } = scripted([step, json({ id: "prj_1" })], { idempotency: false });
    await failure(client.projects.update("prj_1", { title: "Other" }));
    expect(requests).toHaveLength(1);
  });

  test("reads and deletions are retried", async () => {
    const { client, requests } = scripted([connectionReset(), json({ success: true, message: "" })], {
      idempotency: false,
    });
    await client.projects.delete("prj_1");
    expect(requests).toHaveLength(2);
  });
});

test("a write whose earlier attempt is still running is retried, and a conflict of the state is not", async () => {
  const { client, requests } = scripted([
    connectionReset(),
    errorResponse(409),
    errorResponse(409),
    json({ id: "fb_1" }),
  ]);
  await client.feedback.update("fb_1", { overallRating: 3 });
  expect(requests).toHaveLength(4);
  const told = scripted([errorResponse(409, { "retry-after": "0" }), json({ id: "fb_1" })]);
  await told.client.feedback.update("fb_1", { overallRating: 3 }, { idempotencyKey: "shared" });
  const state = scripted([errorResponse(429), errorResponse(409)]);
  expect(await failure(state.client.feedback.approve("fb_1"))).toMatchObject({ status: 409 });
  expect(state.requests).toHaveLength(2);
});

test("a deletion whose response was lost succeeds if the next attempt finds nothing", async () => {
  const { client } = scripted([connectionReset(), errorResponse(404)]);
  expect(await client.projects.delete("prj_1")).toMatchObject({ success: true, message: expect.any(String) });
  const { paths } = scripted([connectionReset(), errorResponse(404)]);
  expect((await paths.DELETE("/projects/{id}", { params: { path: { id: "prj_1" } } })).data?.success).toBe(true);
  const never = scripted([connectionRefused(), errorResponse(404)]);
  expect(await failure(never.client.projects.delete("prj_1"))).toMatchObject({ status: 404 });
});

test("maxRetries limits the retries, for the client and for a call", async () => {
  const { client, requests } = scripted([connectionReset()], { maxRetries: 2 });
  const error = await failure(client.projects.get("prj_1"));
  expect(error).toBeInstanceOf(NetworkError);
  expect(error.message).toContain("GET https://feedback.example.com/v1/projects/prj_1");
  expect(error.message).toContain("ECONNRESET");
  expect(error.cause).toBeInstanceOf(TypeError);
  expect(requests).toHaveLength(3);
  await failure(client.projects.get("prj_1", { maxRetries: 0 }));
  expect(requests).toHaveLength(4);
});

test("the last failure is thrown, with its class", async () => {
  const { client } = scripted([connectionReset(), errorResponse(503)], { maxRetries: 1 });
  expect(await failure(client.projects.get("prj_1"))).toBeInstanceOf(ServiceUnavailableError);
  const garbled = scripted([html(200)], { maxRetries: 1 });
  const error = await failure<ApiError>(garbled.client.projects.get("prj_1"));
  expect(error).toBeInstanceOf(ApiError);
  expect(error.status).toBe(200);
  expect(error.message).toMatch(/200.*JSON/);
});

describe("the wait that the server asks for", () => {
  const waits = async (headers: Record<string, string>, status = 429, options = {}) => {
    const delays: number[] = [];
    const { client } = scripted([errorResponse(status, headers), json({})], {
      onRetry: ({ delay }) => void delays.push(delay),
      ...options,
    });
    vi.useFakeTimers({ now: new Date("2026-01-31T12:00:00Z") });
    try {
      const answer = client.projects.get("prj_1").then(
        () => undefined,
        (error: TooManyRequestsError) => error,
      );
      await vi.runAllTimersAsync();
      return { delay: delays[0], error: await answer };
    } finally {
      vi.useRealTimers();
    }
  };

  test.each<[string, Record<string, string>, number]>([
    ["Retry-After in seconds", { "retry-after": "7" }, 7000],
    ["Retry-After as a date", { "retry-after": "Sat, 31 Jan 2026 12:00:09 GMT" }, 9000],
    [
      "a date of a server whose clock is an hour ahead",
      { "retry-after": "Sat, 31 Jan 2026 13:00:09 GMT", date: "Sat, 31 Jan 2026 13:00:00 GMT" },
      9000,
    ],
    ["a date that has passed", { "retry-after": "Sat, 31 Jan 2026 11:00:00 GMT" }, 0],
    ["the reset in Unix time", { "x-ratelimit-reset": "1769860805" }, 5000],
    ["the reset in seconds left", { "x-ratelimit-reset": "6" }, 6000],
    ["Retry-After takes precedence over the reset", { "retry-after": "2", "x-ratelimit-reset": "6" }, 2000],
    ["nothing", {}, 0],
    ["nonsense", { "retry-after": "soon", "x-ratelimit-reset": "later" }, 0],
  ])("%s", async (_, headers, delay) => {
    expect(await waits(headers)).toEqual({ delay, error: undefined });
  });

  test("Retry-After counts on a 503 too, but the reset does not", async () => {
    expect((await waits({ "retry-after": "3", "x-ratelimit-reset": "6" }, 503)).delay).toBe(3000);
    expect((await waits({ "x-ratelimit-reset": "6" }, 503)).delay).toBe(0);
  });

  test("if the wait exceeds the limit, the call fails at once and says how long", async () => {
    const { delay, error } = await waits({ "retry-after": "1800" });
    expect(delay).toBeUndefined();
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error?.retryAfterSeconds).toBe(1800);
    expect((await waits({ "retry-after": "31" }, 429, { maxRetryAfter: 31_000 })).delay).toBe(31_000);
    expect((await waits({ "retry-after": "7" }, 503, { maxRetryAfter: 6_999 })).error?.retryAfterSeconds).toBe(7);
  });

  test("waitForRateLimit waits for the next window, however long and however often", async () => {
    expect(await waits({ "retry-after": "3600" }, 429, { waitForRateLimit: true })).toEqual({
      delay: 3_600_000,
      error: undefined,
    });
    expect((await waits({ "retry-after": "3600" }, 503, { waitForRateLimit: true })).error?.retryAfterSeconds).toBe(
      3600,
    );
    expect(
      (await waits({ "retry-after": "3600" }, 429, { waitForRateLimit: true, totalTimeout: 1000 })).error
        ?.retryAfterSeconds,
    ).toBe(3600);
    const { client, requests } = scripted([...Array(30).fill(errorResponse(429)), json({})], {
      waitForRateLimit: true,
    });
    await client.projects.get("prj_1");
    expect(requests).toHaveLength(31);
  });
});

test("the backoff doubles up to 5 s and has jitter", async () => {
  vi.useFakeTimers();
  try {
    const delays: number[] = [];
    const { client } = scripted([connectionReset()], {
      retryDelay: 100,
      onRetry: ({ delay }) => void delays.push(delay),
    });
    const random = vi.spyOn(Math, "random").mockReturnValue(1);
    const outcome = failure(client.projects.get("prj_1"));
    await vi.runAllTimersAsync();
    await outcome;
    expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000]);
    random.mockReturnValue(0.25);
    const calm = failure(client.projects.get("prj_1", { maxRetries: 1 }));
    await vi.runAllTimersAsync();
    await calm;
    expect(delays.at(-1)).toBe(25);
  } finally {
    vi.restoreAllMocks();
    vi.useRealTimers();
  }
});
