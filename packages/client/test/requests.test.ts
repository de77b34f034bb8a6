import { describe, expect, test } from "vitest";
import { createClient } from "../src/index.ts";
import { apiKey, connectionReset, emptyPage, failure, json, scripted } from "./harness/scripted.ts";

const invalid = ["", ".", "..", undefined, null, 7, "\ud800"] as string[];

describe("path parameters that would lead to another route are rejected before a request is sent", () => {
  test.each(invalid)("%j", async (id) => {
    const { client, paths, requests } = scripted([json({})]);
    const calls = [
      () => client.projects.get(id),
      () => client.projects.update(id, {}),
      () => client.projects.delete(id),
      () => client.feedback.list(id),
      () => client.feedback.create(id, { overallRating: 1 }),
      () => client.feedback.get(id),
      () => client.feedback.update(id, {}),
      () => client.feedback.markHelpful(id),
      () => client.feedback.reply(id, { message: "Thanks." }),
      () => client.feedback.approve(id),
      () => client.feedback.reject(id),
    ];
    for (const call of calls) {
      const error = await failure(call());
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toMatch(/^(id|projectId) must be a string, and not/);
    }
    const error = await failure(paths.GET("/projects/{id}", { params: { path: { id } } }));
    expect(error).toBeInstanceOf(TypeError);
    expect(requests).toHaveLength(0);
  });

  test("so are missing parameters of the path client", async () => {
    const { paths, requests } = scripted([json({})]);
    const get = paths.GET as (path: string, init?: object) => Promise<unknown>;
    for (const init of [undefined, {}, { params: {} }, { params: { path: {} } }]) {
      expect(await failure(get("/projects/{id}", init))).toBeInstanceOf(TypeError);
    }
    expect(requests).toHaveLength(0);
  });

  test("any other value is a single segment", async () => {
    const { client, paths, requests } = scripted([json({})]);
    const ids = ["a/b", "..\\..", "%2e%2e", "a?b#c", " ", "...", "ä€😀", "{id}"];
    for (const id of ids) {
      await client.projects.get(id);
      await paths.GET("/projects/{id}", { params: { path: { id } } });
    }
    const sent = requests.map(({ url }) => url.replace("https://feedback.example.com/v1/projects/", ""));
    expect(sent.map(decodeURIComponent)).toEqual(ids.flatMap((id) => [id, id]));
    for (const segment of sent) expect(segment).not.toMatch(/[/?#]/);
  });
});

test("a query contains the given parameters and none that is undefined", async () => {
  const { client, requests } = scripted([emptyPage()]);
  const undefinedStatus = { status: undefined } as unknown as object;
  await client.projects.list({ search: "a b&c=ü+", perPage: 5, ...undefinedStatus });
  const { searchParams } = new URL(requests[0]?.url ?? "");
  expect(Object.fromEntries(searchParams)).toEqual({ search: "a b&c=ü+", perPage: "5", page: "1" });
});

test("a request carries the key, the content type, the client's headers and the call's headers", async () => {
  const { client, requests } = scripted([json({})], {
    headers: { "x-client": "c", "x-both": "c", authorization: "no" },
  });
  await client.feedback.reply("fb_1", { message: "Thanks." }, { headers: { "x-call": "1", "x-both": "call" } });
  await client.projects.get("prj_1");
  const sent = Object.fromEntries(requests[0]?.headers ?? []);
  expect(sent).toMatchObject({
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    "x-client": "c",
    "x-both": "call",
    "x-call": "1",
  });
  expect(requests[1]?.headers.has("content-type")).toBe(false);
});

test("hooks see each attempt, and onRequest can set headers", async () => {
  const log: string[] = [];
  const { client, requests } = scripted(
    [
      connectionReset(),
      json({}, 200, { "x-ratelimit-limit": "5", "x-ratelimit-remaining": "4", "x-ratelimit-reset": "9" }),
    ],
    {
      onRequest: async ({ method, url, attempt, headers }) => {
        headers.set("traceparent", `trace-${attempt}`);
        log.push(`> ${method} ${new URL(url).pathname} ${attempt}`);
      },
      onResponse: ({ status, attempt, duration, rateLimit }) =>
        void log.push(`< ${status} ${attempt} ${duration >= 0} ${rateLimit?.remaining}`),
      onRetry: ({ attempt, delay, error }) => void log.push(`! ${attempt} ${delay} ${error.name}`),
    },
  );
  await client.projects.get("prj_1");
  expect(log).toEqual([
    "> GET /v1/projects/prj_1 1",
    "! 1 0 NetworkError",
    "> GET /v1/projects/prj_1 2",
    "< 200 2 true 4",
  ]);
  expect(requests.map(({ headers }) => headers.get("traceparent"))).toEqual(["trace-1", "trace-2"]);
});

test("an error thrown by a hook ends the call and is not treated as a network failure", async () => {
  const mine = new Error("mine");
  const hook = () => {
    throw mine;
  };
  for (const options of [{ onRequest: hook }, { onResponse: hook }]) {
    const { client, requests } = scripted([json({})], options);
    expect(await failure(client.projects.get("prj_1"))).toBe(mine);
    expect(requests.length).toBeLessThan(2);
  }
});

test("a redirect is not followed, as a POST would become a GET", async () => {
  const { client, requests } = scripted([
    new Response(null, { status: 301, headers: { location: "https://elsewhere.example/v1/projects" } }),
  ]);
  const error = await failure(client.projects.create({ title: "Garden", description: "Beds.", category: "web" }));
  expect(error).toMatchObject({ status: 301 });
  expect(requests[0]?.redirect).toBe("manual");
});

test("an opaque redirect, as browsers give it, is not retried", async () => {
  const hidden = Object.defineProperties(new Response(null), { status: { value: 0 }, ok: { value: false } });
  const { client, paths, requests } = scripted([() => hidden]);
  expect(await failure(client.projects.get("prj_1"))).toMatchObject({ status: 0 });
  expect(await failure(paths.GET("/projects"))).toMatchObject({ status: 0 });
  expect(requests).toHaveLength(2);
});

test("the global fetch is looked up at each call and called without a this", async () => {
  const original = globalThis.fetch;
  const client = createClient({ baseUrl: "https://feedback.example.com/v1/", apiKey });
  let url: unknown;
  globalThis.fetch = async function (this: unknown, input) {
    expect(this).toBeUndefined();
    url = input;
    return json({ id: "prj_1" });
  };
  try {
    await client.projects.get("prj_1");
  } finally {
    globalThis.fetch = original;
  }
  expect(url).toBe("https://feedback.example.com/v1/projects/prj_1");
});

test.each([
  [{ baseUrl: "feedback.example.com/v1" }, /baseUrl/],
  [{ baseUrl: "ftp://feedback.example.com/v1" }, /baseUrl/],
  [{ baseUrl: "https://user:secret@feedback.example.com/v1" }, /baseUrl/],
  [{ baseUrl: "https://feedback.example.com/v1?x=1" }, /baseUrl/],
  [{ baseUrl: undefined as unknown as string }, /baseUrl/],
  [{ apiKey: undefined as unknown as string }, /apiKey/],
  [{ attemptTimeout: -1 }, /attemptTimeout/],
  [{ maxRetries: Number.NaN }, /maxRetries/],
])("invalid options are rejected by name: %o", (options, message) => {
  expect(() => scripted([], options)).toThrow(TypeError);
  expect(() => scripted([], options)).toThrow(message);
});
