import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const run = promisify(execFile);
const home = fileURLToPath(new URL("..", import.meta.url));
const pages = [
  "README.md",
  ...readdirSync(join(home, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const samples = pages.flatMap((page) =>
  [...readFileSync(join(home, page), "utf8").matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""], index) => ({
    name: `${page.replaceAll(/[/.]/g, "-")}-${index + 1}`,
    code,
  })),
);

/** A proxy that forwards requests and tunnels. */
let proxied = 0;
const proxy = createServer((incoming, response) => {
  proxied++;
  const { method, url = "", headers } = incoming;
  incoming.pipe(
    request(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }),
  );
}).on("connect", ({ url = "" }, socket) => {
  proxied++;
  const { hostname, port } = new URL(`http://${url}`);
  const upstream = connect(Number(port), hostname, () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"));
  upstream.pipe(socket).pipe(upstream);
  upstream.on("error", () => socket.destroy());
  socket.on("error", () => upstream.destroy());
});

let folder: string;
let proxyUrl: string;
beforeAll(async () => {
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), "project-feedback-samples-"));
  for (const name of ["@project-feedback", "@types"])
    await mkdir(join(folder, "node_modules", name), { recursive: true });
  await symlink(home, join(folder, "node_modules/@project-feedback/client"));
  await symlink(join(home, "node_modules/undici"), join(folder, "node_modules/undici"));
  await symlink(join(home, "../../node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  for (const { name, code } of samples) await writeFile(join(folder, `${name}.ts`), code);
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await rm(folder, { recursive: true });
});

const environment = () => ({
  ...process.env,
  PROJECT_FEEDBACK_URL: inject("baseUrl"),
  PROJECT_FEEDBACK_KEY: inject("developerKey"),
  PROJECT_FEEDBACK_TESTER_KEY: inject("testerKey"),
  PROXY_URL: proxyUrl,
});

test.each(["es2022", "es2022,dom"])("every sample compiles under strict, with lib %s", async (lib) => {
  const options = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    "--noEmit",
    "--skipLibCheck",
  ];
  const compiler = join(home, "node_modules/typescript/bin/tsc");
  const files = samples.map(({ name }) => `${name}.ts`);
  const target = ["--module", "nodenext", "--target", "es2022", "--lib", lib, "--types", "node"];
  const { stdout } = await run(process.execPath, [compiler, ...options, ...target, ...files], { cwd: folder }).catch(
    ({ stdout }) => ({ stdout }),
  );
  expect(stdout).toBe("");
});

test.each(samples)("$name is complete and works", async ({ name }) => {
  await run(process.execPath, [`${name}.ts`], { cwd: folder, env: environment() });
});

test("the proxy is used: by the sample, and by Node with NODE_USE_ENV_PROXY", async () => {
  proxied = 0;
  await run(process.execPath, ["docs-proxies-md-1.ts"], { cwd: folder, env: environment() });
  expect(proxied).toBe(1);
  const env = { ...environment(), NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxyUrl, NO_PROXY: "" };
  await run(process.execPath, ["docs-rate-limits-md-1.ts"], { cwd: folder, env });
  expect(proxied).toBe(2);
});

test("the README has an install line, and its first sample has fewer than 10 lines", () => {
  expect(readFileSync(join(home, "README.md"), "utf8")).toContain("npm install @project-feedback/client");
  expect(samples[0]?.code.trimEnd().split("\n").length).toBeLessThan(10);
});

test("links work from npm: they are absolute, and those to this repository name files that exist", () => {
  const { repository } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const root = `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/`;
  const links = [...readFileSync(join(home, "README.md"), "utf8").matchAll(/\]\(([^)]+)\)/g)].map(
    ([, link = ""]) => link,
  );
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) {
    expect(link).toMatch(/^https:/);
    if (link.startsWith(root)) expect(existsSync(join(home, "../..", link.slice(root.length))), link).toBe(true);
    else expect(link).toBe("https://openapi-ts.dev/openapi-fetch/");
  }
});

test("links between the documents name files that exist", () => {
  for (const page of pages.filter((page) => page.startsWith("docs/"))) {
    for (const [, link = ""] of readFileSync(join(home, page), "utf8").matchAll(/\]\(([^)#]+)/g)) {
      if (!link.startsWith("https:")) expect(existsSync(join(home, "docs", link)), `${page}: ${link}`).toBe(true);
    }
  }
});
