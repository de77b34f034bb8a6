import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, type TestContext, test } from "vitest";
import type { BinarySource } from "../src/binary-source.ts";
import { EmbeddedError } from "../src/embedded-error.ts";
import { runFetch } from "../src/fetch-program.ts";
import { findMongod } from "../src/mongod-binary.ts";
import { freshDataDir } from "./owner.ts";

function fakeMongod(path: string, version: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho "db version v${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** An environment with nothing in it, and a note of all that was reported. */
function surroundings(t: TestContext) {
  const home = freshDataDir(t);
  const reported: string[] = [];
  const env: NodeJS.ProcessEnv = { HOME: home, PATH: "" };
  return { home, reported, env, report: (line: string) => void reported.push(line) };
}

const shut: BinarySource = {
  label: "the shut site",
  file: "mongod-shut",
  fetch: async () => Promise.reject(new Error("connection refused")),
};

function openSource(version = "7.0.1"): BinarySource & { fetches: number } {
  return {
    label: "the open site",
    file: `mongod-${version}`,
    fetches: 0,
    async fetch(into) {
      this.fetches++;
      await pause(300);
      return fakeMongod(join(into, "deep", "mongod"), version);
    },
  };
}

test.concurrent("MONGOD_BINARY comes before everything", async (t) => {
  const { home, env, report } = surroundings(t);
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
] as const)("a MONGOD_BINARY that %s is an error by name, with no falling through", async ([, make, reason], t) => {
  const { home, env, report } = surroundings(t);
  const PATH = dirname(fakeMongod(join(home, "bin", "mongod"), "7.0.0"));
  const MONGOD_BINARY = make(join(home, "mine"));
  const failed = findMongod({ env: { ...env, PATH, MONGOD_BINARY }, report, sources: [openSource()] });
  await expect(failed).rejects.toBeInstanceOf(EmbeddedError);
  await expect(failed).rejects.toThrow("MONGOD_BINARY names");
  await expect(failed).rejects.toThrow(reason);
});

test.concurrent("an old mongod on the PATH is noted and passed over for the next", async (t) => {
  const { home, env, report, reported } = surroundings(t);
  const old = fakeMongod(join(home, "old", "mongod"), "5.0.9");
  const good = fakeMongod(join(home, "good", "mongod"), "6.0.0");
  const PATH = `${dirname(old)}:${join(home, "none")}:${dirname(good)}`;
  expect(await findMongod({ env: { ...env, PATH }, report })).toMatchObject({ path: good, source: "PATH" });
  expect(reported).toEqual([expect.stringContaining(`${old}, on the PATH, is version 5.0.9`)]);
});

test.concurrent("what is fetched is kept, and the next start finds it without the network", async (t) => {
  const { env, report, reported } = surroundings(t);
  const source = openSource();
  const first = await findMongod({ env, report, sources: [shut, source] });
  expect(reported).toContain("the shut site: connection refused");
  const second = await findMongod({ env, report, sources: [shut, source] });
  expect(second).toEqual(first);
  expect(source.fetches).toBe(1);
  expect(readdirSync(dirname(first.path)), "nothing else is left in the cache").toHaveLength(1);
});

test.concurrent("two that need it at once fetch it once", async (t) => {
  const { env, report } = surroundings(t);
  const source = openSource();
  const both = await Promise.all([1, 2].map(() => findMongod({ env, report, sources: [source] })));
  expect(both[0]).toEqual(both[1]);
  expect(source.fetches).toBe(1);
});

test.concurrent("a fetched binary that doesn't run is not kept", async (t) => {
  const { home, env, report } = surroundings(t);
  await expect(findMongod({ env, report, sources: [openSource("3.6.0")] })).rejects.toThrow(
    "the open site: the mongod it gave is version 3.6.0, older than 6.0",
  );
  expect(readdirSync(join(home, ".cache", "project-feedback"))).toEqual([]);
});

test.concurrent("when none can be had, one error names every place, each reason, and what to do", async (t) => {
  const { env, report } = surroundings(t);
  const error = await findMongod({ env, report, sources: [shut, { ...shut, label: "the other site" }] }).catch(
    (e) => e,
  );
  expect(error).toBeInstanceOf(EmbeddedError);
  for (const part of [
    "PATH: no usable",
    "project-feedback: no mongod kept",
    "the shut site: connection refused",
    "the other site",
  ]) {
    expect(error.message).toContain(part);
  }
  expect(error.message).toMatch(/Set MONGODB_URI .*MONGOD_BINARY .*install mongod/);
});

test.concurrent("XDG_CACHE_HOME names the cache; one that can't be made is a reason like any other", async (t) => {
  const { home, env, report } = surroundings(t);
  const XDG_CACHE_HOME = join(home, "elsewhere");
  await findMongod({ env: { ...env, XDG_CACHE_HOME }, report, sources: [openSource()] });
  expect(existsSync(join(XDG_CACHE_HOME, "project-feedback"))).toBe(true);
  writeFileSync(join(home, "file"), "");
  const failed = findMongod({ env: { ...env, XDG_CACHE_HOME: join(home, "file") }, report, sources: [openSource()] });
  await expect(failed).rejects.toThrow(/can't be written \(ENOTDIR\)/);
});

test.concurrent("a fetch without progress is ended and says so", async (t) => {
  const { home, env, report } = surroundings(t);
  const program = { command: "/bin/sh", args: ["-c", "sleep 60"], env: { ...env, PATH: "/usr/bin:/bin" } };
  const failed = runFetch({ ...program, into: home, label: "the silent site", report, stallMs: 1000 });
  await expect(failed).rejects.toThrow("no progress for 1 s");
});
