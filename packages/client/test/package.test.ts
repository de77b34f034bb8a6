import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { VERSION } from "../src/version.ts";

const run = promisify(execFile);
const home = fileURLToPath(new URL("..", import.meta.url));
const tools = join(home, "node_modules");
let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "project-feedback-package-"));
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: home,
  });
  tarball = join(folder, (JSON.parse(stdout) as [{ filename: string }])[0].filename);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An empty project with the packed client and the given files. */
async function project(name: string, files: Record<string, string>): Promise<string> {
  const place = join(folder, name);
  await mkdir(place);
  for (const [file, content] of Object.entries(files)) await writeFile(join(place, file), content);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: place });
  return place;
}

const settings = (cwd: string) => ({
  cwd,
  env: { ...process.env, NODE_PATH: "", BASE_URL: inject("baseUrl"), KEY: inject("developerKey") },
});
const use = `
const client = createClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.KEY });
client.projects.list().then(({ pagination }) => console.log("perPage", pagination.perPage));
`;

test("the tarball contains these files and no others", async () => {
  const { stdout } = await run("tar", ["-tzf", tarball]);
  const files = stdout
    .trim()
    .split("\n")
    .map((file) => file.replace("package/", ""));
  expect(files.filter((file) => !file.startsWith("docs/")).sort()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "THIRD_PARTY_NOTICES",
    "dist/index.cjs",
    "dist/index.cjs.map",
    "dist/index.d.cts",
    "dist/index.d.ts",
    "dist/index.js",
    "dist/index.js.map",
    "package.json",
  ]);
  expect(files.filter((file) => /^docs\/(generated\/)?\w[\w-]*\.md$/.test(file))).toHaveLength(10);
  expect(files).toHaveLength(21);
});

test("the source maps name and contain the sources, and no path of this machine", async () => {
  for (const file of ["dist/index.js.map", "dist/index.cjs.map"]) {
    const map = JSON.parse(await readFile(join(home, file), "utf8")) as { sources: string[]; sourcesContent: string[] };
    expect(map.sources).toContain("../src/send.ts");
    expect(map.sourcesContent.join()).toContain("export async function send");
    expect(map.sources.filter((source) => source.startsWith("/"))).toEqual([]);
  }
});

test("package.json says where the package comes from, and its version is that of the User-Agent", async () => {
  const description = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  for (const field of ["author", "homepage", "bugs", "repository"]) expect(description[field]).toBeTruthy();
  expect(description.repository.directory).toBe("packages/client");
  expect(VERSION).toBe(description.version);
});

test("publint and arethetypeswrong find nothing", async () => {
  await run(process.execPath, [join(tools, "publint/src/cli.js"), tarball, "--strict"]);
  await run(process.execPath, [join(tools, "@arethetypeswrong/cli/dist/index.js"), tarball]);
});

test("an ES module can use it", async () => {
  const place = await project("esm", { "main.mjs": `import { createClient } from "@project-feedback/client";${use}` });
  expect((await run(process.execPath, ["main.mjs"], settings(place))).stdout).toBe("perPage 20\n");
  expect(await readdir(join(place, "node_modules/@project-feedback"))).toEqual(["client"]);
});

test("CommonJS can use it", async () => {
  const source = `const { createClient } = require("@project-feedback/client");${use}`;
  const place = await project("cjs", { "main.cjs": source });
  expect((await run(process.execPath, ["main.cjs"], settings(place))).stdout).toBe("perPage 20\n");
});

describe("TypeScript can use it", () => {
  const program = `
import { ApiError, createClient, createPathClient, isStatusError, type Project, type Result } from "@project-feedback/client";
declare const process: { env: Record<string, string> };
const client = createClient({ baseUrl: process.env["BASE_URL"] ?? "", apiKey: process.env["KEY"] ?? "" });
export async function main(): Promise<void> {
  const { pagination } = await client.projects.list({ status: "active" });
  console.log("perPage", pagination.perPage satisfies number);
}
export const read = (id: string): Promise<Result<Project>> => client.projects.get(id);
export const details = (error: unknown) => (isStatusError(error) && error.status === 400 ? error.details[0]?.at : "");
export const status = (error: unknown): number => (error instanceof ApiError ? error.status : 0);
export const paths = () => createPathClient({ baseUrl: "", apiKey: "" }).GET("/projects/{id}", { params: { path: { id: "1" } } });
// @ts-expect-error: no such status
client.projects.list({ status: "open" }).catch(() => {});
void main();
`;
  const resolutions = { node16: "node16", nodenext: "nodenext", bundler: "esnext" };
  const kinds = ["mts", "cts"] as const;
  const compilers = { 5: "typescript", 7: "typescript-7" };
  const cases = Object.entries(resolutions).flatMap(([moduleResolution, module]) =>
    Object.entries(compilers).flatMap(([version, compiler]) =>
      kinds.map((kind) => ({ moduleResolution, module, version, compiler, kind })),
    ),
  );

  test.each(cases.filter(({ module, kind }) => module !== "esnext" || kind === "mts"))(
    "$version with moduleResolution $moduleResolution, from .$kind",
    async ({ moduleResolution, module, version, compiler, kind }) => {
      const compilerOptions = {
        module,
        moduleResolution,
        target: "es2022",
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        types: [],
        outDir: "out",
        rootDir: ".",
      };
      const place = await project(`ts-${version}-${moduleResolution}-${kind}`, {
        [`main.${kind}`]: program,
        "tsconfig.json": JSON.stringify({ compilerOptions, include: [`main.${kind}`] }),
      });
      await compile(compiler, place);
      const compiled = join("out", `main.${kind.replace("t", "j")}`);
      expect((await run(process.execPath, [compiled], settings(place))).stdout).toBe("perPage 20\n");
    },
  );

  test("with the types of Node in place of those of the DOM", async () => {
    const compilerOptions = {
      module: "nodenext",
      lib: ["es2022"],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: ["node"],
    };
    const place = await project("ts-node", {
      "main.mts": program.replace(/^declare.*$/m, ""),
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["main.mts"] }),
    });
    await mkdir(join(place, "node_modules/@types"), { recursive: true });
    await symlink(join(home, "../../node_modules/@types/node"), join(place, "node_modules/@types/node"));
    await compile("typescript", place);
  });

  async function compile(compiler: string, place: string) {
    await run(process.execPath, [join(tools, compiler, "bin/tsc"), "-p", place]).catch(({ stdout }) => {
      throw new Error(stdout);
    });
  }
});
