// Builds the package that is published, in dist: one bundle of JavaScript with everything it imports, the contract, the
// launcher, and a manifest without dependencies. The bundle is needed because the driver of MongoDB is patched, and npm
// would install the one that is not.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildProgram, builtFolder } from "@project-feedback/console";
import * as spec from "@project-feedback/spec";
import { type OutputChunk, rolldown } from "rolldown";
import manifest from "./package.json" with { type: "json" };
import { noticesOf, packagesOf } from "./third-party.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Oldest Node that the bundle runs on; no bundled package may need a newer one. */
const engines = { node: "^20.19.0 || >=22.0.0" };

rmSync(at("dist"), { recursive: true, force: true });
const bundle = await rolldown({
  input: { "cli/main": at("src/cli/main.js") },
  cwd: at("."),
  platform: "node",
  // Optional parts of the driver of MongoDB, which says so itself where one of them is asked for and not installed.
  external: [
    ...["kerberos", "@mongodb-js/zstd", "@aws-sdk/credential-providers", "gcp-metadata", "snappy", "socks"],
    "mongodb-client-encryption",
  ],
  transform: { target: "node20.19" },
  logLevel: "warn",
  onwarn(warning) {
    // A dependency that evaluates code does so without the bundle too.
    if (warning.code === "EVAL") return;
    throw new Error(`The bundle has a warning: ${warning.message}`);
  },
});
const { output } = await bundle.write({
  dir: at("dist/lib"),
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
});
const chunks = output.filter((file): file is OutputChunk => file.type === "chunk");
/** What the pages import, which run in a browser. Scalar comes as its authors built it. */
const inPages = ["@scalar/api-reference", "@simplewebauthn/browser", "openapi-fetch", "preact", "uplot"];
const packages = packagesOf([
  ...chunks.flatMap(({ moduleIds }) => moduleIds),
  ...inPages.map((name) => fileURLToPath(new URL(`../node_modules/${name}/package.json`, buildProgram))),
]);

// The bundle in lib looks for the pages in ../dist, in the only folder that is there.
execFileSync(process.execPath, [fileURLToPath(buildProgram)], { stdio: "inherit" });
const pages = fileURLToPath(builtFolder());
cpSync(pages, at(`dist/dist/${basename(pages)}`), { recursive: true });

// What the code opens beside itself, by import.meta.url: every file that the contract names, and one program.
const contract = dirname(fileURLToPath(import.meta.resolve("@project-feedback/spec")));
for (const url of Object.values(spec))
  copy(fileURLToPath(url), join("dist/lib", relative(contract, fileURLToPath(url))));
copy(
  fileURLToPath(import.meta.resolve("@project-feedback/embedded-mongod/download-program")),
  "dist/lib/download-program.js",
);

write("dist/bin/project-feedback", launcher());
chmodSync(at("dist/bin/project-feedback"), 0o755);
for (const file of ["README.md", "CHANGELOG.md"]) copy(at(file), `dist/${file}`);
copy(at("../../LICENSE"), "dist/LICENSE");
write("dist/THIRD_PARTY_NOTICES", noticesOf(packages));
// Which Node a package of the pages needs does not matter: they run in a browser.
const listed = packages.map(({ text: _, node, ...each }) => (inPages.includes(each.name) ? each : { ...each, node }));
write("dist/bundled.json", json(listed));
write("dist/package.json", json(published()));

/** The launcher, which starts the bundle in place of the sources. */
function launcher(): string {
  const text = readFileSync(at("bin/project-feedback"), "utf8");
  const changed = text.replace("../src/cli/main.js", "../lib/cli/main.js");
  if (changed === text) throw new Error("bin/project-feedback does not start ../src/cli/main.js. Correct build.ts.");
  return changed;
}

function published(): object {
  const { name, version, description, license, author, homepage, repository, bugs, keywords, type } = manifest;
  return {
    ...{ name, version, description, license, author, homepage, repository, bugs, keywords, type, engines },
    bin: { "project-feedback": "bin/project-feedback" },
    exports: { "./package.json": "./package.json" },
    // By name, because .gitignore excludes every folder that is named dist.
    files: ["bin", "lib", "dist", "bundled.json", "THIRD_PARTY_NOTICES", "CHANGELOG.md"],
    publishConfig: { access: "public" },
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(at(to)), { recursive: true });
  copyFileSync(from, at(to));
}

function write(to: string, text: string): void {
  mkdirSync(dirname(at(to)), { recursive: true });
  writeFileSync(at(to), text);
}
