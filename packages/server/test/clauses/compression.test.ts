import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../harness/caller.ts";
import { aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let ada: Caller;
let long: string;
let short: string;
beforeAll(async () => {
  server = await startServer();
  ada = await server.account();
  long = (await aProject(ada, { description: "Plan beds and sowing times. ".repeat(100) })).id;
  short = (await aProject(ada)).id;
});
afterAll(() => server.stop());

/** Sends a GET without the decompression of fetch. */
function get(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const options = { headers: { Authorization: `Bearer ${ada.key}`, ...headers } };
    request(`${server.origin}/v1${path}`, options, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) });
    })
      .on("error", reject)
      .end();
  });
}

test.each([
  ["gzip", gunzipSync],
  ["br", brotliDecompressSync],
])("a response above 1 KiB is compressed with %s when asked", async (encoding, decompress) => {
  const plain = await get(`/projects/${long}`, {});
  const { headers, bytes } = await get(`/projects/${long}`, { "Accept-Encoding": encoding });
  expect(headers["content-encoding"]).toBe(encoding);
  expect(headers.vary).toContain("Accept-Encoding");
  expect(bytes.length).toBeLessThan(plain.bytes.length / 4);
  expect(decompress(bytes)).toEqual(plain.bytes);
});

test("a response is not compressed when nobody asks, nor one of at most 1 KiB", async () => {
  for (const [path, headers] of [
    [`/projects/${long}`, {}],
    [`/projects/${long}`, { "Accept-Encoding": "identity" }],
    [`/projects/${long}`, { "Accept-Encoding": "deflate" }],
    [`/projects/${short}`, { "Accept-Encoding": "gzip, br" }],
  ] as const) {
    expect((await get(path, headers)).headers["content-encoding"]).toBeUndefined();
  }
});

test("C-COND-1: a compressed response has its own entity tag, which conditions accept", async () => {
  const path = `/projects/${long}`;
  const [plain, zipped] = [await get(path, {}), await get(path, { "Accept-Encoding": "gzip" })];
  expect(zipped.headers.etag).not.toBe(plain.headers.etag);
  const tag = String(zipped.headers.etag);
  expect((await get(path, { "Accept-Encoding": "gzip", "If-None-Match": tag })).status).toBe(304);
  expect((await ada.patch(path, { category: "other" }, { "If-Match": tag })).status).toBe(200);
  expect((await ada.patch(path, { category: "web" }, { "If-Match": tag })).status).toBe(412);
});
