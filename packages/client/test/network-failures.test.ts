import { describe, expect, test, vi } from "vitest";
import { createClient, NetworkError } from "../src/index.ts";
import { apiKey, connectionReset, emptyPage, errorResponse, failure, json, scripted } from "./harness/scripted.ts";

const code = (name: string) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(`it failed: ${name}`), { code: name }) });

describe("a failure that another attempt cannot change is not retried", () => {
  test.each<[string, Error]>([
    ["a TypeError of the caller's fetch", new TypeError("Cannot read properties of undefined (reading 'fetch')")],
    ["a function that is missing", new TypeError("network.send is not a function")],
    ["a RangeError of the caller's fetch", new RangeError("Maximum call stack size exceeded")],
    ["a ReferenceError of the caller's fetch", new ReferenceError("proxy is not defined")],
    ["an invalid URL", new TypeError("Failed to parse URL", { cause: code("ERR_INVALID_URL").cause })],
    ["a dispatcher of another undici", code("UND_ERR_INVALID_ARG")],
    ["an expired certificate", code("CERT_HAS_EXPIRED")],
    ["a certificate of another host", code("ERR_TLS_CERT_ALTNAME_INVALID")],
    ["a port that fetch blocks", new TypeError("fetch failed", { cause: new Error("bad port") })],
  ])("%s", async (_, thrown) => {
    const { client, requests } = scripted([thrown]);
    const error = await failure<NetworkError>(client.projects.get("prj_1"));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.cause).toBe(thrown);
    expect(requests).toHaveLength(1);
  });
});

describe("a failure of the network is retried, as each runtime reports it", () => {
  test.each<[string, Error]>([
    ["Node", connectionReset()],
    ["Node, in the body", new TypeError("terminated", { cause: new Error("other side closed") })],
    ["Chromium", new TypeError("Failed to fetch")],
    ["Chromium, in the body", new TypeError("network error")],
    ["Firefox", new TypeError("NetworkError when attempting to fetch resource.")],
    ["Safari", new TypeError("Load failed")],
    ["Safari, older", new TypeError("The network connection was lost.")],
    ["React Native", new TypeError("Network request failed")],
    ["Deno, in the body", new TypeError("error reading a body from connection")],
    ["Bun", Object.assign(new TypeError("The socket connection was closed unexpectedly"), { code: "ECONNRESET" })],
    ["workerd", new Error("Network connection lost.")],
  ])("%s", async (_, thrown) => {
    const { client, requests } = scripted([thrown, emptyPage()]);
    await client.projects.list();
    expect(requests).toHaveLength(2);
  });
});

test.each([
  ["Node", "ENOTFOUND"],
  ["Deno", "dns error: failed to lookup address information"],
])("an unknown host is retried three times within a second: %s", async (_, name) => {
  const began = performance.now();
  const { client, requests } = scripted([code(name)], { retryDelay: 100 });
  await failure(client.projects.create({ title: "Garden", description: "Beds.", category: "web" }));
  expect(requests).toHaveLength(4);
  expect(performance.now() - began).toBeLessThan(1000);
});

test.each([
  "http://",
  "http://exa mple.com/v1",
  "http://host:99999/v1",
  "http://[::1/v1",
  "http://%zz/v1",
  "https://host/v1 ",
  "https:// host/v1",
  "https://user@host/v1",
  "",
])("createClient rejects the base URL %j", (baseUrl) => {
  expect(() => createClient({ baseUrl, apiKey })).toThrow(TypeError);
  expect(() => createClient({ baseUrl, apiKey })).toThrow(/^baseUrl/);
});

test.each([
  "https://host",
  "http://127.0.0.1:3000/v1/",
  "HTTPS://Host/v1",
  "https://[::1]/v1",
  "https://bücher.example/v1",
])("createClient accepts the base URL %j", (baseUrl) => {
  createClient({ baseUrl, apiKey });
});

describe("retries are visible", () => {
  test("by default one warning per call, with the attempt, the cause and the delay, and never the key", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    try {
      const steps = [new Error(`reset ${apiKey}`), errorResponse(503), json({})];
      const { client } = scripted([...steps, ...steps], { debug: undefined, retryDelay: 1 });
      await client.projects.get("prj_1");
      expect(warn).toHaveBeenCalledOnce();
      const line = String(warn.mock.calls[0]?.[0]);
      expect(line).toMatch(
        /^@project-feedback\/client: GET https:\S+prj_1: attempt 1: .*reset .*Next attempt in \d+ ms$/,
      );
      expect(line).not.toContain(apiKey);
      await client.projects.get("prj_1");
      expect(warn).toHaveBeenCalledTimes(2);
      await client.projects.get("prj_1", { maxRetries: 0 });
      expect(warn).toHaveBeenCalledTimes(2);
    } finally {
      warn.mockRestore();
    }
  });

  test("debug logs every attempt and retry, to the console or to a function; false logs nothing", async () => {
    const steps = [connectionReset(), errorResponse(503), json({})];
    const lines: string[] = [];
    await scripted(steps, { debug: (line) => void lines.push(line) }).client.projects.get("prj_1");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/attempt 1: .*ECONNRESET.*Next attempt in/);
    expect(lines[1]).toMatch(/attempt 2: .*Sentence of 503.*Next attempt in/);
    expect(lines[2]).toMatch(/attempt 3: success/);

    const debug = vi.spyOn(console, "debug").mockImplementation(() => {});
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    try {
      await scripted(steps, { debug: true }).client.projects.get("prj_1");
      expect(debug).toHaveBeenCalledTimes(3);
      await scripted(steps, { debug: false }).client.projects.get("prj_1");
      expect(debug).toHaveBeenCalledTimes(3);
      expect(warn).not.toHaveBeenCalled();
    } finally {
      debug.mockRestore();
      warn.mockRestore();
    }
  });
});
