import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const execute = promisify(execFile);
const home = fileURLToPath(new URL("../..", import.meta.url));

/** The runtimes, as npm packages. They are large, so only this test installs them. */
const versions = { deno: "2.9.6", bun: "1.4.5", workerd: "1.20261117.1" };
const tools = join(home, "node_modules/.cache", Object.entries(versions).flat().join("-"));
const program = (name: keyof typeof versions) => join(tools, "node_modules/.bin", name);

let folder: string;
let words: [string, string];
beforeAll(async () => {
  if (!existsSync(program("workerd"))) {
    await mkdir(tools, { recursive: true });
    await writeFile(join(tools, "package.json"), JSON.stringify({ private: true, dependencies: versions }));
    await execute("npm", ["install", "--no-audit", "--no-fund"], { cwd: tools });
  }
  folder = await mkdtemp(join(tmpdir(), "project-feedback-runtimes-"));
  const { stdout } = await execute("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: home,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await execute("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], { cwd: folder });
  await copyFile(join(home, "test/runtimes/program.js"), join(folder, "program.js"));
  words = [inject("baseUrl"), inject("developerKey")];
  const call = `console.log(JSON.stringify(await run(client, ${words.map((word) => JSON.stringify(word)).join()})));`;
  const imports = 'import * as client from "@project-feedback/client";\nimport { run } from "./program.js";\n';
  await writeFile(join(folder, "main.js"), imports + call);
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const expected = {
  found: 1,
  tag: true,
  limit: 1_000_000,
  missing: true,
  refused: true,
  slow: "TimeoutError",
  aborted: true,
  changed: "New",
};

test.each([
  ["Node", process.execPath, ["main.js"]],
  ["Deno", program("deno"), ["run", "--allow-net", "--node-modules-dir=manual", "main.js"]],
  ["Bun", program("bun"), ["main.js"]],
])("the packed client works on %s", async (_, file, args) => {
  const { stdout, stderr } = await execute(file, args, { cwd: folder });
  expect(JSON.parse(stdout)).toEqual(expected);
  expect(stderr).toBe("");
});

test("the packed client works on workerd, the runtime of Cloudflare Workers", async () => {
  await writeFile(
    join(folder, "worker.js"),
    `import * as client from "@project-feedback/client";
    import { run } from "./program.js";
    export default {
      async test() {
        console.log(JSON.stringify(await run(client, ${words.map((word) => JSON.stringify(word)).join()})));
      },
    };`,
  );
  await writeFile(
    join(folder, "worker.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (services = [
      (name = "internet", network = (allow = ["public", "private", "local"])),
      (name = "main", worker = (compatibilityDate = "2026-11-01", modules = [
        (name = "worker.js", esModule = embed "worker.js"),
        (name = "program.js", esModule = embed "program.js"),
        (name = "@project-feedback/client", esModule = embed "node_modules/@project-feedback/client/dist/index.js"),
      ])),
    ]);`,
  );
  const { stdout, stderr } = await execute(program("workerd"), ["test", "worker.capnp"], { cwd: folder });
  const line = `${stdout}${stderr}`.split("\n").find((text) => text.startsWith("{")) ?? "";
  expect(JSON.parse(line)).toEqual(expected);
});
