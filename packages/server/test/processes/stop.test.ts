import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { mongodLoss } from "../../src/cli/database-loss.ts";
import { type OwnMongod, startOwnMongod } from "../harness/own-mongod.ts";
import { freshFolder, run, type ServerProcess, serve, statusOf, until } from "../harness/processes.ts";

// What a test leaves is removed in the opposite order.
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await serve({ LOG_LEVEL: "info", ...settings });
  cleanups.push(async () => {
    server.killGroup();
    await server.exited;
  });
  // Of several workers, the first one answers before the others have started.
  await until(() => server.output.stdout.includes('"msg":"listening"'), "it does not start");
  return server;
}

/** A server with an embedded mongod of its own, and that mongod's process id. */
async function startEmbedded(settings: Readonly<Record<string, string>> = {}) {
  const folder = freshFolder();
  cleanups.push(() => folder.remove());
  const server = await start({ DATA_DIR: folder.path, ...settings });
  const pid: number = JSON.parse(readFileSync(`${folder.path}/mongod.json`, "utf8")).pid;
  cleanups.push(() => {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  });
  return { server, pid };
}

async function ownMongod(): Promise<OwnMongod> {
  const mongod = await startOwnMongod();
  cleanups.push(() => mongod.remove());
  return mongod;
}

/** Waits for the end of a server. */
async function endOf(server: ServerProcess, withinMs: number): Promise<{ code: number | null | string; ms: number }> {
  const began = performance.now();
  const code = await Promise.race([server.exited, sleep(withinMs, "still running", { ref: false })]);
  return { code, ms: performance.now() - began };
}

describe.each([{}, { WORKERS: "2" }])("with %j", (workers) => {
  test("a server whose embedded mongod is killed ends by itself with exit code 3, and says so", async () => {
    const { server, pid } = await startEmbedded(workers);
    process.kill(pid, "SIGKILL");
    expect(await endOf(server, 15_000)).toMatchObject({ code: 3 });
    expect(server.output.stderr).toMatch(
      /^The embedded mongod ended by itself \(killed by a signal\)\. Read \S+mongod\.log/,
    );
    expect(server.output.stderr).not.toContain("MONGODB_URI");
  });

  test("a server is stopped while its embedded mongod hangs: within 40 s, with exit code 3", async () => {
    const { server, pid } = await startEmbedded({ ...workers, DRAIN_SECONDS: "0" });
    process.kill(pid, "SIGSTOP");
    await sleep(300);
    server.signal("SIGTERM");
    expect(await endOf(server, 40_000)).toMatchObject({ code: 3 });
    expect(server.output.stderr).toMatch(/^The embedded mongod did not answer when the server stopped\..*mongod\.log/);
    expect(server.output.stderr).not.toContain("MONGODB_URI");
  });

  test.each(["kill", "suspend"] as const)(
    "a server is stopped after a %s of the mongod of MONGODB_URI",
    async (fault) => {
      const mongod = await ownMongod();
      const server = await start({ ...workers, MONGODB_URI: mongod.uri, DRAIN_SECONDS: "0" });
      await mongod[fault]();
      await until(async () => (await statusOf(`${server.origin}/readyz`)) === 503, "it does not notice", 20_000);
      server.signal("SIGTERM");
      expect(await endOf(server, 15_000)).toMatchObject({ code: 3 });
    },
  );

  test("a second signal ends a server at once, with the code of the signal", async () => {
    const mongod = await ownMongod();
    const server = await start({ ...workers, MONGODB_URI: mongod.uri, DRAIN_SECONDS: "30" });
    mongod.suspend();
    server.signal("SIGTERM");
    await until(() => server.output.stdout.includes('"msg":"stopping"'), "it does not stop");
    server.signal("SIGTERM");
    const { code, ms } = await endOf(server, 10_000);
    expect(code).toBe(143);
    expect(ms).toBeLessThan(1_500);
    await until(async () => (await statusOf(`${server.origin}/healthz`)) === 0, "a worker goes on");
  });
});

test("a signal during the start ends it at once", async () => {
  const folder = freshFolder();
  cleanups.push(() => folder.remove());
  mkdirSync(`${folder.path}/bin`);
  const binary = `${folder.path}/bin/mongod`;
  // A mongod that never answers.
  writeFileSync(binary, '#!/bin/sh\n[ "$1" = --version ] && echo "db version v7.0.0" && exit\nexec sleep 60\n', {
    mode: 0o755,
  });
  const ended = run(["serve"], { DATA_DIR: folder.path, MONGOD_BINARY: binary, PORT: "0" }, async (pid, output) => {
    await until(() => output.stdout.includes("starting mongod"), "it does not start");
    process.kill(pid, "SIGINT");
  });
  expect((await ended).code).toBe(130);
});

test("a start without its database fails with exit code 3, and the message fits the case", async () => {
  const uri = "mongodb://127.0.0.1:1/?directConnection=true&serverSelectionTimeoutMS=500";
  const { code, stderr } = await run(["serve"], { MONGODB_URI: uri, PORT: "0", DEMO: "0" });
  expect(stderr).toMatch(/^The database cannot be reached \(.*\)\. Check MONGODB_URI and that MongoDB is running\.\n$/);
  expect(code).toBe(3);
});

test("a full disk is named as what ended the embedded mongod", () => {
  const folder = freshFolder();
  cleanups.push(() => folder.remove());
  const line = { s: "E", msg: "WiredTiger error message", attr: { message: "pwrite: No space left on device" } };
  writeFileSync(`${folder.path}/mongod.log`, `${JSON.stringify(line)}\n${"{}\n".repeat(2_000)}`);
  const { message, exitCode } = mongodLoss({ dataDir: folder.path }, 14);
  expect(message).toMatch(/\(exit code 14\)\. The disk of \S+ is full\. Free some space/);
  expect(exitCode).toBe(3);
});
