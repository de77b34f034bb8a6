import { describe, expect, test } from "vitest";
import { ApiError, isStatusError, UnexpectedResponseError } from "../src/index.ts";
import { apiKey, failure, json, page, scripted } from "./harness/scripted.ts";

const get = async (response: Response) => {
  const { client } = scripted([response], { maxRetries: 0 });
  return failure<ApiError>(client.projects.get("prj_1"));
};

describe("an error keeps the response", () => {
  test("its parsed body and its headers", async () => {
    const body = { error: "Bad Request", message: "No.", extra: [1] };
    const error = await get(json(body, 400, { "x-trace": "t1" }));
    expect(error.body).toEqual(body);
    expect(error.headers.get("x-trace")).toBe("t1");
  });

  test("its text if it is not JSON, at most 16,384 characters", async () => {
    expect((await get(new Response("<h1>Bad</h1>", { status: 404 }))).body).toBe("<h1>Bad</h1>");
    expect((await get(new Response("x".repeat(1e6), { status: 404 }))).body).toHaveLength(16_384);
    expect((await get(json({ message: "No.", extra: "x".repeat(1e6) }, 404))).body).toHaveLength(16_384);
  });

  test("without the API key", async () => {
    const error = await get(json({ message: "No.", key: apiKey }, 401, { "x-echo": `Bearer ${apiKey}` }));
    expect(JSON.stringify(error.body) + error.headers.get("x-echo")).not.toContain(apiKey);
    expect(error.headers.get("x-echo")).toBe("Bearer [API key]");
  });
});

describe("the message of an error", () => {
  test.each<[string, unknown, string]>([
    ["problem details", { type: "about:blank", title: "Forbidden", status: 403, detail: "Not you." }, "Not you."],
    ["problem details without detail", { title: "Forbidden" }, "Forbidden"],
    ["an object in error", { error: { code: 7, message: "Nested." } }, "Nested."],
    ["a text in error", { error: "invalid_token" }, "invalid_token"],
    ["a list of errors", { errors: [{ message: "First." }, { message: "Second." }] }, "First."],
    ["the service's own", { error: "Forbidden", message: "Ours." }, "Ours."],
  ])("is found in %s", async (_, body, message) => {
    const type = { "content-type": "application/problem+json" };
    expect((await get(json(body, 403, type))).message).toBe(message);
  });

  test.each<[string, unknown]>([
    ["a number", { message: 7 }],
    ["nothing", {}],
    ["null", { error: null, errors: [null] }],
    ["an array", []],
  ])("names the request and the status if the body has %s", async (_, body) => {
    const { message } = await get(json(body, 403));
    expect(message).toContain("GET https://feedback.example.com/v1/projects/prj_1");
    expect(message).toContain("403");
    expect(message).not.toContain("without JSON");
  });

  test("says 'without JSON' only if that is true", async () => {
    expect((await get(new Response("Forbidden", { status: 403 }))).message).toContain("403, without JSON");
    expect((await get(json("Forbidden", 403))).message).not.toContain("without JSON");
  });

  test("is bounded", async () => {
    expect((await get(json({ message: "x".repeat(1e5) }, 403))).message.length).toBeLessThanOrEqual(1000);
  });
});

test.each<[string, unknown]>([
  ["an object", { field: "title" }],
  ["a text", "no"],
  ["texts", ["no"]],
  ["other objects", [{ loc: ["body", "title"], msg: "no" }]],
  ["null", [null]],
])("details of another form are not exposed as the service's: %s", async (_, details) => {
  const error = await get(json({ message: "No.", details }, 400));
  expect(error.details).toEqual([]);
  expect(error.body).toEqual({ message: "No.", details });
});

describe("a success with an unexpected body is an UnexpectedResponseError, and not retried", () => {
  const item = { id: "prj_1" };
  test.each<[string, () => Response]>([
    ["an empty object for a list", () => json({})],
    ["an array for a list", () => json([])],
    ["a list without pagination", () => json({ data: [] })],
    ["a list with null items", () => json({ ...page([item], 1), data: [null] })],
    ["a list whose data is an object", () => json({ ...page([item], 1), data: {} })],
    ["a list with an empty pagination", () => json({ data: [item], pagination: {} })],
    ["a 204 for a list", () => new Response(null, { status: 204 })],
  ])("%s", async (_, response) => {
    const { client, requests } = scripted([response]);
    const attempts = [
      () => Promise.resolve(client.projects.list()),
      () => client.projects.list().toArray(),
      () => client.feedback.list("prj_1").pages().next(),
    ];
    for (const attempt of attempts) {
      const error = await failure<ApiError>(attempt());
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error).toBeInstanceOf(ApiError);
      expect(error.name).toBe("UnexpectedResponseError");
      expect(isStatusError(error)).toBe(false);
      expect([200, 204]).toContain(error.status);
      expect(error.headers).toBeInstanceOf(Headers);
    }
    expect(requests).toHaveLength(3);
  });

  test.each<[string, () => Response]>([
    ["a 204", () => new Response(null, { status: 204 })],
    ["an array", () => json([item])],
  ])("%s for a record", async (_, response) => {
    const { client, requests } = scripted([response]);
    const calls = [
      () => client.projects.get("prj_1"),
      () => client.projects.create({ title: "Garden", description: "Beds.", category: "web" }),
      () => client.feedback.update("fb_1", {}),
      () => client.feedback.markHelpful("fb_1"),
    ];
    for (const call of calls) expect(await failure(call())).toBeInstanceOf(UnexpectedResponseError);
    expect(requests).toHaveLength(calls.length);
  });

  test("but a deletion may answer 204", async () => {
    const { client } = scripted([() => new Response(null, { status: 204 })]);
    expect(await client.projects.delete("prj_1")).toEqual({ success: true, message: "Deleted" });
  });
});

test("a redirect has its own message, with the address if the runtime tells it", async () => {
  const moved = await get(new Response(null, { status: 301, headers: { location: "https://new.example/v1" } }));
  expect(moved.message).toMatch(/redirected to https:\/\/new\.example\/v1.*baseUrl/);
  const hidden = Object.defineProperties(new Response(null), {
    type: { value: "opaqueredirect" },
    status: { value: 0 },
    ok: { value: false },
    clone: { value: () => hidden },
  });
  expect((await get(hidden)).message).toMatch(/redirected .*baseUrl/);
});
