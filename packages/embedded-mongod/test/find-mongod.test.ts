import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, type TestContext, test } from "vitest";
import { archiveSource } from "../src/binary/archive.ts";
import { downloadSite } from "../src/binary/download-site.ts";
import { findMongod } from "../src/binary/find-mongod.ts";
import { pypiWheel } from "../src/binary/pypi-wheel.ts";
import { runFetch } from "../src/binary/run-fetch.ts";
import type { BinarySource } from "../src/binary/source.ts";
import { versionOf } from "../src/binary/version.ts";
import { EmbeddedError } from "../src/embedded-error.ts";
import { freshDataDir } from "./owner.ts";

/** A program that prints what `mongod --version` prints. @returns its path */
function fakeMongod(path: string, version: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho "db version v${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** An empty environment, and everything that was reported. */
function emptyMachine(t: TestContext) {
  const home = freshDataDir(t);
  const reported: string[] = [];
  const env: NodeJS.ProcessEnv = { HOME: home, PATH: "" };
  return { home, reported, env, report: (line: string) => void reported.push(line) };
}

const blocked: BinarySource = {
  label: "the blocked site",
  file: "mongod-blocked",
  fetch: async () => Promise.reject(new Error("connection refused")),
};

function openSource(version = "7.0.1"): BinarySource & { fetches: number } {
  return {
    label: "the open site",
    file: `mongod-${version}`,
    fetches: 0,
    async fetch(folder) {
      this.fetches++;
      await pause(300);
      return fakeMongod(join(folder, "deep", "mongod"), version);
    },
  };
}

test.concurrent("MONGOD_BINARY comes before everything", async (t) => {
  const { home, env, report } = emptyMachine(t);
  const MONGOD_BINARY = fakeMongod(join(home, "mine"), "8.0.1");
  const PATH = dirname(fakeMongod(join(home, "bin", "mongod"), "7.0.0"));
  const found = await findMongod({ env: { ...env, PATH, MONGOD_BINARY }, report, sources: [] });
  expect(found).toEqual({ path: MONGOD_BINARY, source: "MONGOD_BINARY", version: "8.0.1" });
});

test.concurrent.for([
  ["is missing", (path: string) => path, "does not run (ENOENT)"],
  ["is too old", (path: string) => fakeMongod(path, "4.4.2"), "is version 4.4.2, older than 6.0"],
  [
    "fails",
    (path: string) => {
      fakeMongod(path, "");
      writeFileSync(path, "#!/bin/sh\necho libssl.so.9 is missing >&2\nexit 127\n");
      return path;
    },
    "libssl.so.9 is missing",
  ],
] as const)(
  "a MONGOD_BINARY that %s is an error that names it, and nothing else is tried",
  async ([, make, reason], t) => {
    const { home, env, report } = emptyMachine(t);
    const PATH = dirname(fakeMongod(join(home, "bin", "mongod"), "7.0.0"));
    const MONGOD_BINARY = make(join(home, "mine"));
    const failed = findMongod({ env: { ...env, PATH, MONGOD_BINARY }, report, sources: [openSource()] });
    await expect(failed).rejects.toBeInstanceOf(EmbeddedError);
    await expect(failed).rejects.toThrow("MONGOD_BINARY names");
    await expect(failed).rejects.toThrow(reason);
  },
);

test.concurrent("an old mongod on the PATH is reported and skipped", async (t) => {
  const { home, env, report, reported } = emptyMachine(t);
  const old = fakeMongod(join(home, "old", "mongod"), "5.0.9");
  const good = fakeMongod(join(home, "good", "mongod"), "6.0.0");
  const PATH = `${dirname(old)}:${join(home, "none")}:${dirname(good)}`;
  expect(await findMongod({ env: { ...env, PATH }, report })).toMatchObject({ path: good, source: "PATH" });
  expect(reported).toEqual([expect.stringContaining(`${old}, on the PATH, is version 5.0.9`)]);
});

test.concurrent("a fetched mongod is cached, and the next start needs no network", async (t) => {
  const { env, report, reported } = emptyMachine(t);
  const source = openSource();
  const first = await findMongod({ env, report, sources: [blocked, source] });
  expect(reported).toContain("the blocked site: connection refused");
  const second = await findMongod({ env, report, sources: [blocked, source] });
  expect(second).toEqual(first);
  expect(source.fetches).toBe(1);
  expect(readdirSync(dirname(first.path)), "nothing else is left in the cache").toHaveLength(1);
});

test.concurrent("two callers at once fetch it once", async (t) => {
  const { env, report } = emptyMachine(t);
  const source = openSource();
  const both = await Promise.all([1, 2].map(() => findMongod({ env, report, sources: [source] })));
  expect(both[0]).toEqual(both[1]);
  expect(source.fetches).toBe(1);
});

test.concurrent("a fetched binary that does not run is not cached", async (t) => {
  const { home, env, report } = emptyMachine(t);
  await expect(findMongod({ env, report, sources: [openSource("3.6.0")] })).rejects.toThrow(
    "the open site: the fetched mongod is version 3.6.0, older than 6.0",
  );
  expect(readdirSync(join(home, ".cache", "embedded-mongod"))).toEqual([]);
});

test.concurrent("without any mongod, one error names every place, each reason and what to do", async (t) => {
  const { env, report } = emptyMachine(t);
  const sources = [blocked, { ...blocked, label: "the other site" }];
  const error = await findMongod({ env, report, sources, settingNames: { uri: "DATABASE_URL" } }).catch((e) => e);
  expect(error).toBeInstanceOf(EmbeddedError);
  for (const part of [
    "PATH: no usable",
    "embedded-mongod: no mongod from an earlier start",
    "the blocked site: connection refused",
    "the other site",
  ]) {
    expect(error.message).toContain(part);
  }
  expect(error.message).toMatch(/Set DATABASE_URL .*MONGOD_BINARY .*install mongod/);
});

test.concurrent("XDG_CACHE_HOME names the cache; one that cannot be created is among the reasons", async (t) => {
  const { home, env, report } = emptyMachine(t);
  const XDG_CACHE_HOME = join(home, "elsewhere");
  await findMongod({ env: { ...env, XDG_CACHE_HOME }, report, sources: [openSource()] });
  expect(existsSync(join(XDG_CACHE_HOME, "embedded-mongod"))).toBe(true);
  writeFileSync(join(home, "file"), "");
  const failed = findMongod({ env: { ...env, XDG_CACHE_HOME: join(home, "file") }, report, sources: [openSource()] });
  await expect(failed).rejects.toThrow(/cannot be written \(ENOTDIR\)/);
});

/** A web server with one archive, which contains a fake mongod as "mongodb/bin/mongod". */
async function serveArchive(t: TestContext): Promise<{ url: string; sha256: string }> {
  const folder = freshDataDir(t);
  fakeMongod(join(folder, "mongodb", "bin", "mongod"), "7.0.30");
  execFileSync("tar", ["-czf", join(folder, "archive.tgz"), "-C", folder, "mongodb"]);
  const archive = readFileSync(join(folder, "archive.tgz"));
  const server = createServer((_request, response) => response.end(archive)).listen(0, "127.0.0.1");
  t.onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive.tgz`;
  return { url, sha256: createHash("sha256").update(archive).digest("hex") };
}

test.concurrent("an archive with the pinned SHA-256 is unpacked", async (t) => {
  const { home, env, report } = emptyMachine(t);
  const archive = await serveArchive(t);
  const source = archiveSource("the site", "mongod-archive", { ...archive, member: "mongodb/bin/mongod" });
  const path = await source.fetch(home, { env: { ...env, PATH: process.env.PATH }, report });
  expect(await versionOf(path)).toBe("7.0.30");
});

test.concurrent("an archive with another SHA-256 is not opened, and no mongod of it is cached", async (t) => {
  const { home, env, report } = emptyMachine(t);
  const { url } = await serveArchive(t);
  const pinned = { url, sha256: "0".repeat(64), member: "mongodb/bin/mongod" };
  const failed = findMongod({ env, report, sources: [archiveSource("the site", "mongod-archive", pinned)] });
  await expect(failed).rejects.toThrow(/the site: the download has SHA-256 \w{64}, not the pinned 0{64}/);
  expect(readdirSync(join(home, ".cache", "embedded-mongod"))).toEqual([]);
});

test.concurrent("a site that cannot be reached is among the reasons", async (t) => {
  const { env, report } = emptyMachine(t);
  const archive = { url: "http://127.0.0.1:1/archive.tgz", sha256: "", member: "" };
  const failed = findMongod({ env, report, sources: [archiveSource("the site", "mongod-archive", archive)] });
  await expect(failed).rejects.toThrow(/the site: .*(ECONNREFUSED|bad port)/);
});

test.concurrent.for([
  ["linux", "x64"],
  ["linux", "arm64"],
  ["darwin", "x64"],
  ["darwin", "arm64"],
] as const)("there is a pinned download for %s on %s", ([platform, arch]) => {
  const sources = [downloadSite(platform, arch), pypiWheel(platform, arch)].filter((source) => source !== undefined);
  expect(sources.length).toBeGreaterThan(0);
});

test.concurrent("a fetch without progress is killed, and the error says so", async (t) => {
  const { home, env, report } = emptyMachine(t);
  const program = { command: "/bin/sh", args: ["-c", "sleep 60"], env: { ...env, PATH: "/usr/bin:/bin" } };
  const failed = runFetch({ ...program, folder: home, label: "the silent site", report, stallMs: 1000 });
  await expect(failed).rejects.toThrow("no progress for 1 s");
});
