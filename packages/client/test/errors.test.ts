import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import * as everything from "../src/index.ts";
import {
  ApiError,
  type BadRequestError,
  isStatusError,
  NetworkError,
  type NotFoundError,
  ProjectFeedbackError,
} from "../src/index.ts";
import { apiKey, connectionReset, errorResponse, failure, json, scripted } from "./harness/scripted.ts";

const classes: Record<string, unknown> = { ...everything };

test.each([
  [400, "BadRequestError"],
  [401, "UnauthorizedError"],
  [403, "ForbiddenError"],
  [404, "NotFoundError"],
  [405, "MethodNotAllowedError"],
  [409, "ConflictError"],
  [412, "PreconditionFailedError"],
  [413, "ContentTooLargeError"],
  [415, "UnsupportedMediaTypeError"],
  [422, "UnprocessableContentError"],
  [429, "TooManyRequestsError"],
  [500, "InternalServerError"],
  [502, "BadGatewayError"],
  [503, "ServiceUnavailableError"],
  [504, "GatewayTimeoutError"],
] as const)("%i is a %s", async (status, name) => {
  const { client } = scripted([errorResponse(status, { "x-request-id": "req_1" })], { maxRetries: 0 });
  const error = await failure<ApiError>(client.projects.get("prj_1"));
  expect(error).toBeInstanceOf(classes[name]);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toBeInstanceOf(ProjectFeedbackError);
  expect(isStatusError(error)).toBe(true);
  expect(error).toMatchObject({ name, status, message: `Sentence of ${status}.`, requestId: "req_1", details: [] });
  expect(String(error.stack)).toContain(`${name}: Sentence`);
});

test("an error has the code of the service, and not that of another service", async () => {
  const { client } = scripted([
    json({ error: "Conflict", message: "It is not a draft.", code: "not_draft" }, 409),
    json({ error: "Unauthorized", message: "Invalid or missing API key" }, 401),
    json({ message: "No route.", code: "ENOROUTE" }, 404),
    json({ error: { message: "No." }, message: "No.", code: 7 }, 404),
  ]);
  const codes: unknown[] = [];
  for (let count = 0; count < 4; count++) codes.push((await failure<ApiError>(client.feedback.get("fb_1"))).code);
  expect(codes).toEqual(["not_draft", undefined, undefined, undefined]);
});

test("a status without its own class is an ApiError", async () => {
  const { client } = scripted([errorResponse(418)]);
  const error = await failure<ApiError>(client.projects.get("prj_1"));
  expect(error.constructor).toBe(ApiError);
  expect(error.status).toBe(418);
  expect(isStatusError(error)).toBe(false);
});

test("a 400 has the details", async () => {
  const details = [{ in: "body", at: "/title", message: "must not be empty" }];
  const { client } = scripted([json({ error: "Bad Request", message: "The request is wrong.", details }, 400)]);
  const error = await failure<BadRequestError>(client.projects.get("prj_1"));
  expect(error.details).toEqual(details);
});

test("results and errors carry the allowance and the request id; a copy and JSON have the record alone", async () => {
  const headers = {
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "99",
    "x-ratelimit-reset": "1769864400",
    "x-request-id": "req_1",
  };
  const rateLimit = { limit: 100, remaining: 99, reset: new Date("2026-01-31T13:00:00Z") };
  const { client } = scripted([
    json({ id: "prj_1" }, 200, headers),
    errorResponse(404, headers),
    json({ id: "prj_1" }),
  ]);
  const result = await client.projects.get("prj_1");
  expect(result.rateLimit).toEqual(rateLimit);
  expect(result.requestId).toBe("req_1");
  expect(JSON.stringify(result)).toBe('{"id":"prj_1"}');
  expect(Object.keys({ ...result })).toEqual(["id"]);
  const error = await failure<NotFoundError>(client.projects.get("prj_1"));
  expect(error).toMatchObject({ rateLimit, requestId: "req_1" });
  expect((await client.projects.get("prj_1")).rateLimit).toBeUndefined();
});

describe("a body that is not a JSON object gives an error with the status", () => {
  test.each([
    ["HTML", "<html>Bad Gateway</html>"],
    ["nothing", ""],
    ["half of it", '{"error": "Bad'],
    ["a string", '"no"'],
    ["null", "null"],
  ])("%s", async (_, body) => {
    for (const status of [200, 404, 502]) {
      const { client, paths } = scripted([new Response(body, { status })], { maxRetries: 0 });
      const error = await failure<ApiError>(client.projects.get("prj_1"));
      expect(error).toBeInstanceOf(ApiError);
      expect(error.status).toBe(status);
      expect(error.message).toContain(String(status));
      const byPath = paths.GET("/projects");
      if (status === 200) expect(await failure(byPath)).toBeInstanceOf(ApiError);
      else expect((await byPath).response.status).toBe(status);
    }
  });
});

describe("the API key is never shown", () => {
  const shows = (thing: unknown) =>
    `${inspect(thing, { depth: 9, showHidden: true })}${JSON.stringify(thing)}${thing instanceof Error ? thing.stack : ""}`;

  test("not by the clients", () => {
    const { client, paths } = scripted([]);
    expect(shows(client) + shows(paths)).not.toContain(apiKey);
  });

  test("not by a response that echoes it", async () => {
    for (const step of [
      json({ message: `Bad key ${apiKey}`, details: [{ at: apiKey }] }, 400),
      new Response(apiKey, { status: 401 }),
    ]) {
      const { client, paths } = scripted([step]);
      expect(shows(await failure(client.projects.get("prj_1")))).not.toContain(apiKey);
      expect(shows((await paths.GET("/projects")).error)).not.toContain(apiKey);
    }
  });

  test("a key of a few letters is not replaced inside words", async () => {
    const { client } = scripted([errorResponse(401)], { apiKey: "e" });
    expect((await failure(client.projects.get("prj_1"))).message).toBe("Sentence of 401.");
  });

  test("not by a fetch that quotes what it was given", async () => {
    const { client } = scripted(
      [
        (request) => {
          throw new TypeError(`bad ${request.headers.get("authorization")}`);
        },
      ],
      { maxRetries: 0 },
    );
    const error = await failure(client.projects.get("prj_1"));
    expect(error).toBeInstanceOf(NetworkError);
    expect(shows(error)).not.toContain(apiKey);
  });

  test("not by the events that hooks get", async () => {
    const events: unknown[] = [];
    const hook = (event: object) => void events.push(event, "headers" in event && [...(event.headers as Headers)]);
    const { client, paths } = scripted([connectionReset(), json({ id: "prj_1" })], {
      onRequest: hook,
      onResponse: hook,
      onRetry: hook,
    });
    await client.projects.get("prj_1");
    await paths.GET("/projects");
    expect(events.length).toBeGreaterThan(5);
    expect(shows(events)).not.toContain(apiKey);
    expect(
      events
        .map((event) => event instanceof Object && "headers" in event && shows([...(event.headers as Headers)]))
        .join(),
    ).not.toContain(apiKey);
  });

  test("not by middleware of the path client", async () => {
    const { paths } = scripted([json({})], { headers: { "x-mine": "1" } });
    let seen = "";
    paths.use({
      onRequest: ({ request }) => {
        seen = shows([...request.headers]);
      },
    });
    await paths.GET("/projects");
    expect(seen).toContain("x-mine");
    expect(seen).not.toContain(apiKey);
  });

  test("not by the error for a key that is not a valid header value", () => {
    for (const key of ["pfs_secret\n", "pfs_sécret", "pfs secret"]) {
      const make = () => scripted([], { apiKey: key });
      expect(make).toThrow(TypeError);
      expect(make).toThrow(/^apiKey must be visible ASCII$/);
    }
  });
});
