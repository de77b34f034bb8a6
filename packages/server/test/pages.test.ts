import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { buildProgram, builtFolder, readFiles } from "@project-feedback/console";
import { beforeAll, expect, test } from "vitest";
import { createSendPage } from "../src/http/pages.ts";
import { useServer } from "./harness/server.ts";

const allowances = { free: 100_000, pro: 100_000, team: 100_000 };
const config = { allowances, addressAllowance: 100_000, trustedProxies: 0 };
const server = await useServer({ config: { ...config, console: true } });
const without = await useServer({ config });
const waiting = await useServer({
  config,
  adapt: (parts) => ({
    ...parts,
    systemEndpoints: { ...parts.systemEndpoints, sendPage: createSendPage({ files: () => undefined }) },
  }),
});

const pagePaths = ["/", "/settings", "/docs", "/docs/clauses"];
const browser = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const get = (path: string, headers: Record<string, string> = browser, origin = server.origin) =>
  fetch(origin + path, { headers });

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [fileURLToPath(buildProgram)]);
}, 60_000);

test("the pages are built without paths of this machine, whatever the environment of the build", () => {
  const scripts = [...(readFiles(builtFolder())?.values() ?? [])].filter(({ type }) => type.startsWith("text/"));
  const clone = fileURLToPath(new URL("../../..", import.meta.url));
  const withPath = scripts.filter(
    ({ variants }) => variants.identity && readFileSync(variants.identity, "utf8").includes(clone),
  );
  expect(scripts.length).toBeGreaterThan(4);
  expect(withPath.map(({ path }) => path)).toEqual([]);
});

test("the first path is a page for a browser, and JSON for a program", async () => {
  const page = await get("/");
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain("<h1>");
  for (const headers of [{}, { Accept: "*/*" }, { Accept: "application/json" }]) {
    const answer = await get("/", headers);
    expect([answer.status, answer.headers.get("vary")]).toEqual([200, expect.stringContaining("Accept")]);
    expect(await answer.json()).toMatchObject({ interface: "/v1", contract: "/openapi.json", settings: "/settings" });
  }
});

test.each(pagePaths)(
  "C-ACC-3: %s cannot be framed, runs no inline script, and tells no other site of itself",
  async (path) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.includes("'unsafe-inline'")).toBe(path === "/docs");
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
    });
  },
);

test("the parts of a page have names that change with their content, and are kept for a year", async () => {
  const html = await (await get("/settings")).text();
  const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(assets.length).toBeGreaterThan(2);
  for (const path of assets) {
    const { status, headers } = await get(path);
    expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
  }
});

test("a part is sent in the coding that the client takes, which was compressed before", async () => {
  const files = readFiles(builtFolder());
  const path = [...(files?.keys() ?? [])].find((each) => each.endsWith(".js")) ?? "";
  const plain = Buffer.from(await (await get(path, { "Accept-Encoding": "identity" })).arrayBuffer());
  expect(plain.length).toBeGreaterThan(1_000);
  // fetch would decompress what it gets.
  const raw = async (coding: string) => {
    const [response] = await once(
      request(server.origin + path, { headers: { "Accept-Encoding": coding } }).end(),
      "response",
    );
    return { coding: response.headers["content-encoding"], body: await buffer(response) };
  };
  for (const [coding, decompress] of [
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const { coding: sent, body } = await raw(coding);
    expect(sent).toBe(coding);
    expect(decompress(body).equals(plain)).toBe(true);
  }
});

test.each([
  ["POST", "/settings", 405],
  ["DELETE", "/", 405],
  ["GET", "/assets/none.js", 404],
  ["GET", "/assets/../files.json", 404],
  ["GET", "/files.json", 404],
  ["GET", "/settings.html", 404],
])("%s %s is %i", async (method, path, status) => {
  const response = await fetch(server.origin + path, { method, headers: browser });
  expect(response.status).toBe(status);
});

test("HEAD of a page has its headers and no body", async () => {
  const response = await fetch(`${server.origin}/settings`, { method: "HEAD" });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await response.text()).toBe("");
});

test("CONSOLE=0: there are no pages, and the first path is JSON for everybody", async () => {
  const about = await get("/", browser, without.origin);
  expect(Object.keys((await about.json()) as object)).not.toContain("settings");
  for (const path of pagePaths.slice(1)) expect((await get(path, browser, without.origin)).status).toBe(404);
});

test("while the pages are being built, a browser gets a page that asks again, and the rest of the server works", async () => {
  const page = await get("/settings", browser, waiting.origin);
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(await page.text()).toContain('http-equiv="refresh"');
  expect((await get("/healthz", browser, waiting.origin)).status).toBe(200);
  expect((await get("/x", browser, waiting.origin)).status).toBe(404);
});
