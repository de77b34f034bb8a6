import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openapiJsonUrl } from "@project-feedback/spec";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createClient } from "../../src/index.ts";

const client = new URL("../../dist/index.js", import.meta.url);
const files: Record<string, URL> = {
  "/client.js": client,
  "/program.js": new URL("program.js", import.meta.url),
  "/node_modules/@project-feedback/client/dist/index.js": client,
};
let browser: Browser;
let origin: string;
let sample: string;

/** The operations of the contract, each with what a request of it looks like. */
const contract: { paths: Record<string, Record<string, unknown>> } = JSON.parse(readFileSync(openapiJsonUrl, "utf8"));
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({
    pattern: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  })),
);

/** Serves the pages and the published client. The service has another origin. */
const server = createServer(async ({ url = "/" }, response) => {
  const file = files[url];
  if (file) return response.writeHead(200, { "content-type": "text/javascript" }).end(await readFile(file));
  const page = url === "/sample" ? sample : "<!doctype html><title>The client in a page</title>";
  return response.writeHead(200, { "content-type": "text/html" }).end(page);
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const [, html = ""] = /```html\n(.*?)```/s.exec(readme) ?? [];
  sample = html.replace("https://feedback.example.com/v1", inject("baseUrl"));
  const executablePath = process.env.CHROMIUM || execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

/** Opens a page. What it reports as an error is in `problems`. */
async function open(path: string, storage: Record<string, string> = {}) {
  const tab = await browser.newPage();
  const problems: string[] = [];
  tab.on("console", (message) => problems.push(message.text()));
  tab.on("pageerror", (error) => problems.push(error.message));
  await tab.addInitScript((items) => {
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
  }, storage);
  await tab.goto(origin + path);
  return { tab, problems };
}

test("C-CORS-1: a page on another origin calls every operation, with retries and the rate state", async () => {
  const { tab, problems } = await open("/");
  const words = [inject("baseUrl"), inject("developerKey"), inject("testerKey")].map((word) => JSON.stringify(word));
  const run = `import("/program.js").then(({ run }) => run(${words}))`;
  const { answered, ...outcome } = (await tab.evaluate(run)) as { answered: string[] };
  expect(problems.filter((line) => !/status of (401|404|412)/.test(line))).toEqual([]);
  // Every operation of the contract.
  expect(operations.filter(({ pattern }) => !answered.some((each) => pattern.test(each)))).toEqual([]);
  expect(outcome).toEqual({
    ...{
      created: 2,
      titles: ["In a page"],
      updated: "Changed",
      stale: "PreconditionFailedError",
      read: true,
      listed: 1,
    },
    ...{ helpfulCount: 1, reply: "Fixed.", approved: "approved", rejected: "rejected", missing: true },
    states: [
      [true, true],
      [true, true],
      [true, true],
    ],
    ...{ refused: 401, aborted: true, slow: "TimeoutError", changed: "New", deleted: true },
    ...{ unmarked: 0, mine: [true], discarded: true, role: "tester", walked: [true, true], isByCursor: true },
    ...{ reason: "It is about another project.", hidden: [] },
  });
});

test("the page of the README lists projects and submits feedback, from another origin", async () => {
  const client = createClient({ baseUrl: inject("baseUrl"), apiKey: inject("developerKey") });
  const project = await client.projects.create({ title: "Sample page", description: "README.", category: "web" });
  const { tab, problems } = await open("/sample", { apiKey: inject("testerKey") });
  await tab.getByText("I like Sample page").click();
  await tab.getByText("Feedback submitted").waitFor();
  expect((await client.feedback.list(project.id)).pagination.total).toBe(1);
  expect(problems.filter((line) => !line.includes("favicon"))).toEqual([]);
  await client.projects.delete(project.id);
});
