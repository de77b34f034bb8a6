import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const page = "<!doctype html><title>The client in a page</title>";
const files: Record<string, URL> = {
  "/client.js": new URL("../../dist/index.js", import.meta.url),
  "/program.js": new URL("program.js", import.meta.url),
};
let browser: Browser;
let origin: string;

/** Serves the page, the published client, and the service under the same origin. */
const server = createServer(async (incoming, response) => {
  const { method, url = "/", headers } = incoming;
  if (url === "/") return response.writeHead(200, { "content-type": "text/html" }).end(page);
  const file = files[url];
  if (file) return response.writeHead(200, { "content-type": "text/javascript" }).end(await readFile(file));
  const { hostname, port } = new URL(inject("baseUrl"));
  const forwarded = request({ hostname, port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  return incoming.pipe(forwarded);
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const executablePath = process.env.CHROMIUM || execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

test("the published file works in a page without a bundler", async () => {
  const tab = await browser.newPage();
  const said: string[] = [];
  tab.on("console", (message) => said.push(message.text()));
  tab.on("pageerror", (error) => said.push(error.message));
  await tab.goto(origin);
  const words = [`${origin}/v1`, inject("developerKey")].map((word) => JSON.stringify(word));
  const outcome = await tab.evaluate(`import("/program.js").then(({ run }) => run(${words}))`);
  expect(said.filter((line) => !line.includes("404"))).toEqual([]);
  expect(outcome).toEqual({
    created: 2,
    titles: ["In a page"],
    missing: true,
    aborted: true,
    slow: "TimeoutError",
    limit: 1_000_000,
    changed: "New",
  });
});
