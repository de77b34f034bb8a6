import { describe, expect, test, vi } from "vitest";
import { createClient, PreconditionFailedError, TimeoutError } from "../src/index.ts";
import {
  apiKey,
  connectionReset,
  emptyPage,
  errorResponse,
  failure,
  json,
  page,
  scripted,
} from "./harness/scripted.ts";

const baseUrl = "https://feedback.example.com/v1";

describe("headers", () => {
  test("merge whatever their case, and undefined removes one", async () => {
    const headers = { "X-Client": "client", "X-Other": "o", "X-Gone": undefined };
    const { client, requests } = scripted([json({})], { headers });
    await client.projects.get("prj_1", { headers: { "x-client": "call", "x-OTHER": undefined } });
    await client.projects.get("prj_1");
    expect(requests[0]?.headers.get("x-client")).toBe("call");
    expect(requests[0]?.headers.has("x-other")).toBe(false);
    expect(requests[0]?.headers.has("x-gone")).toBe(false);
    expect(requests[1]?.headers.get("x-other")).toBe("o");
  });

  test("have a User-Agent outside of browsers, which the caller can replace or remove", async () => {
    const { client, requests } = scripted([json({})]);
    await client.projects.get("prj_1");
    await client.projects.get("prj_1", { headers: { "User-Agent": "mine" } });
    await client.projects.get("prj_1", { headers: { "user-agent": undefined } });
    const sent = requests.map(({ headers }) => headers.get("user-agent"));
    expect(sent).toEqual([expect.stringMatching(/^project-feedback-client\/\d+\.\d+\.\d+$/), "mine", null]);
    vi.stubGlobal("navigator", { product: "Gecko", userAgent: "Mozilla/5.0" });
    try {
      const browser = scripted([json({})]);
      await browser.client.projects.get("prj_1");
      expect(browser.requests[0]?.headers.has("user-agent")).toBe(false);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe("apiKey", () => {
  test("may be a function, sync or async, which is called before each attempt", async () => {
    let count = 0;
    const { client, requests } = scripted([connectionReset(), json({})], { apiKey: async () => `pfs_key${++count}` });
    await client.projects.get("prj_1");
    await scripted([json({})], { apiKey: () => "pfs_sync" }).client.projects.get("prj_1");
    expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer pfs_key1", "Bearer pfs_key2"]);
  });

  test("of a function is redacted too", async () => {
    const { client } = scripted([json({ message: `Bad ${apiKey}` }, 401)], { apiKey: async () => apiKey });
    expect((await failure(client.projects.get("prj_1"))).message).toBe("Bad [API key]");
  });

  test("of a function that throws ends the call with that error, and one that hangs obeys signal and timeout", async () => {
    const mine = new Error("no token");
    const failing = () => Promise.reject(mine);
    const { client, requests } = scripted([json({})], { apiKey: failing });
    expect(await failure(client.projects.get("prj_1"))).toBe(mine);
    const hanging = scripted([json({})], { apiKey: () => new Promise<string>(() => {}) });
    const options = { signal: AbortSignal.timeout(5) };
    expect((await failure(hanging.client.projects.get("prj_1", options))).name).toBe("TimeoutError");
    expect(await failure(hanging.client.projects.get("prj_1", { totalTimeout: 5 }))).toBeInstanceOf(TimeoutError);
    expect(requests).toHaveLength(0);
  });

  test("that is missing has its own message", async () => {
    for (const missing of ["", undefined, null] as string[]) {
      expect(() => createClient({ baseUrl, apiKey: missing })).toThrow(new TypeError("apiKey is missing"));
      const { client } = scripted([json({})], { apiKey: () => missing });
      expect(await failure(client.projects.get("prj_1"))).toEqual(new TypeError("apiKey is missing"));
    }
  });
});

describe("withResponse", () => {
  test("returns the result with the response, for a call and for a list", async () => {
    const { client } = scripted([json({ id: "prj_1" }, 200, { etag: '"1"', "x-request-id": "r1" }), emptyPage()]);
    const { data, response, requestId } = await client.projects.get("prj_1").withResponse();
    expect(data).toEqual({ id: "prj_1" });
    expect([response.status, response.headers.get("etag"), requestId]).toEqual([200, '"1"', "r1"]);
    const list = await client.projects.list().withResponse();
    expect([list.data.data, list.response.status]).toEqual([[], 200]);
  });

  test("rejects as the call does, and only once", async () => {
    const { client } = scripted([errorResponse(404)]);
    expect(await failure(client.projects.get("prj_1").withResponse())).toMatchObject({ status: 404 });
    // An unhandled rejection would fail the test run.
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

describe("toArray", () => {
  const three = ({ url }: Request) => {
    const number = Number(new URL(url).searchParams.get("page"));
    return json(page([{ id: `prj_${2 * number - 1}` }, { id: `prj_${2 * number}` }], 6, number, 2));
  };

  test("reads all records, or no more pages than the limit needs", async () => {
    const { client, requests } = scripted([three]);
    expect(await client.projects.list().toArray()).toHaveLength(6);
    expect(requests).toHaveLength(3);
    for (const [limit, pages] of [
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 2],
      [99, 3],
    ] as const) {
      const limited = scripted([three]);
      expect(await limited.client.projects.list().toArray({ limit })).toHaveLength(Math.min(limit, 6));
      expect(limited.requests).toHaveLength(pages);
    }
  });

  test("accepts undefined and rejects what is no limit", async () => {
    const { client } = scripted([three]);
    expect(await client.projects.list().toArray({ limit: undefined })).toHaveLength(6);
    expect(await failure(client.projects.list().toArray({ limit: -1 }))).toBeInstanceOf(TypeError);
    expect(await failure(client.projects.list().toArray({ limit: Number.NaN }))).toBeInstanceOf(TypeError);
  });
});

describe("withOptions", () => {
  test("makes a client with other options and leaves the first as it is", async () => {
    const { client, requests } = scripted([errorResponse(503)], { maxRetries: 1, headers: { "x-a": "1", "x-b": "1" } });
    const other = client.withOptions({ maxRetries: 0, apiKey: "pfs_other", headers: { "X-A": "2", "x-b": undefined } });
    await failure(other.projects.get("prj_1"));
    await failure(client.projects.get("prj_1"));
    expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer pfs_other",
      `Bearer ${apiKey}`,
      `Bearer ${apiKey}`,
    ]);
    expect(requests.map(({ headers }) => [headers.get("x-a"), headers.get("x-b")])).toEqual([
      ["2", null],
      ["1", "1"],
      ["1", "1"],
    ]);
  });

  test("checks them, ignores undefined, and can be repeated", async () => {
    const { client, requests } = scripted([json({})]);
    expect(() => client.withOptions({ baseUrl: "nowhere" })).toThrow(/^baseUrl/);
    expect(() => client.withOptions({ maxRetries: -1 })).toThrow(/^maxRetries/);
    await client
      .withOptions({ apiKey: undefined as unknown as string })
      .withOptions({})
      .projects.get("prj_1");
    expect(requests[0]?.url).toBe(`${baseUrl}/projects/prj_1`);
  });
});

test("undefined is accepted for every option", async () => {
  const nothing = {
    attemptTimeout: undefined,
    totalTimeout: undefined,
    maxRetries: undefined,
    retryDelay: undefined,
    maxRetryAfter: undefined,
    waitForRateLimit: undefined,
    idempotency: undefined,
    headers: undefined,
  };
  const hooks = {
    onRequest: undefined,
    onResponse: undefined,
    onError: undefined,
    onRetry: undefined,
    debug: undefined,
  };
  const { fetch } = globalThis;
  createClient({ baseUrl, apiKey, fetch: undefined, ...nothing, ...hooks });
  expect(globalThis.fetch).toBe(fetch);
  const { client, requests } = scripted(
    [({ method }) => (method === "GET" ? emptyPage() : json({ id: "1" }))],
    nothing,
  );
  await client.projects.list(
    { status: undefined, search: undefined },
    { ...nothing, signal: undefined, maxPages: undefined },
  );
  const project = { title: "Garden", description: "Beds.", category: "web", projectUrl: undefined } as const;
  await client.projects.create(project, { ...nothing, signal: undefined, idempotencyKey: undefined });
  await client.projects.update("prj_1", { title: undefined }, { ...nothing, ifMatch: undefined });
  expect(requests).toHaveLength(3);
  expect(requests[0]?.url).toBe(`${baseUrl}/projects?page=1`);
});

test("ifMatch sends the ETag, and a stale one is a PreconditionFailedError (C-COND-1)", async () => {
  const { client, requests } = scripted([errorResponse(412)]);
  const options = { ifMatch: '"1"' };
  expect(await failure(client.projects.update("prj_1", {}, options))).toBeInstanceOf(PreconditionFailedError);
  await failure(client.projects.delete("prj_1", options));
  await failure(client.feedback.update("fb_1", {}, options));
  expect(requests.map(({ headers }) => headers.get("if-match"))).toEqual(['"1"', '"1"', '"1"']);
});
