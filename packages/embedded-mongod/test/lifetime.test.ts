import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { beforeAll, expect, test } from "vitest";
import { findMongod } from "../src/binary/find-mongod.ts";
import { openEmbedded } from "../src/open-embedded.ts";
import { birthTimeOf } from "../src/process-identity.ts";
import { freshDataDir, hasEnded, readState, startOwner, until } from "./owner.ts";

const report = (): void => undefined;
// Fetches a mongod on a machine that has none.
beforeAll(() => findMongod({ env: process.env, report }), 600_000);

async function withClient<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  // Short, because closing a client waits this long for a mongod that has died.
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 2000 });
  return work(client).finally(() => client.close());
}

test.concurrent("five kill -9 of a server and its process group under load lose no acknowledged write", async (t) => {
  const dataDir = freshDataDir(t);
  const acknowledged: string[] = [];
  for (let round = 1; round <= 5; round++) {
    const began = Date.now();
    const owner = await startOwner(t, dataDir, "serve", "load");
    expect(Date.now() - began, "the dead server's directory is free at once").toBeLessThan(8000);
    await until(() => owner.acknowledged.length >= 20, "no write was acknowledged");
    process.kill(-owner.pid, "SIGKILL");
    await owner.exited;
    acknowledged.push(...owner.acknowledged);
  }
  const database = await openEmbedded({ dataDir, purpose: "serve", report });
  const kept = await withClient(database.uri, (client) =>
    client.db("owner").collection<{ _id: string }>("records").distinct("_id"),
  );
  await database.stop();
  expect(acknowledged.filter((id) => !kept.includes(id))).toEqual([]);
});

test.concurrent("mongod ends with a killed server", async (t) => {
  const dataDir = freshDataDir(t);
  const owner = await startOwner(t, dataDir, "serve");
  const { pid } = readState(dataDir);
  owner.child.kill("SIGKILL");
  await hasEnded(pid ?? 0);
});

test.concurrent("Ctrl-C reaches the server's process group but not mongod: the server can still write", async (t) => {
  const dataDir = freshDataDir(t);
  const owner = await startOwner(t, dataDir, "serve");
  process.kill(-owner.pid, "SIGINT");
  expect(await owner.exited).toBe(0);
  const database = await openEmbedded({ dataDir, purpose: "command", report });
  const count = await withClient(database.uri, (client) => client.db("owner").collection("records").countDocuments());
  await database.stop();
  expect(count).toBe(1);
});

test.concurrent("a process that reuses the id of a dead owner or mongod is left alone and does not block a start", async (t) => {
  const dataDir = freshDataDir(t);
  const stranger = spawn("sleep", ["60"]);
  const pid = stranger.pid ?? 0;
  const state = {
    ownerPid: pid,
    ownerBirth: "another time",
    purpose: "serve",
    pid,
    uri: "mongodb://127.0.0.1:1/",
    startedAt: "",
  };
  writeFileSync(join(dataDir, "mongod.json"), JSON.stringify(state));
  const database = await openEmbedded({ dataDir, purpose: "serve", report });
  expect(birthTimeOf(pid)).toBeDefined();
  stranger.kill();
  await database.stop();
});

test.concurrent("data is kept over restarts, also in a folder that was moved, and transactions work each time", async (t) => {
  const folder = freshDataDir(t);
  for (let run = 1; run <= 3; run++) {
    const dataDir = join(folder, run < 3 ? "first" : "moved");
    if (run === 3) renameSync(join(folder, "first"), dataDir);
    const database = await openEmbedded({ dataDir, purpose: "serve", report });
    await withClient(database.uri, async (client) => {
      const records = client.db("test").collection("records");
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await records.insertOne({ run }, { session });
        }),
      );
      expect(await records.countDocuments()).toBe(run);
    });
    await database.stop();
  }
});

test.concurrent("a start needs no DNS", async (t) => {
  const dataDir = freshDataDir(t);
  const database = await openEmbedded({ dataDir, purpose: "command", report });
  await database.stop();
  expect(readFileSync(join(dataDir, "mongod.log"), "utf8")).not.toContain("getaddrinfo");
});

test.concurrent("stop leaves no process, state file or lock, and can be called again", async (t) => {
  const dataDir = freshDataDir(t);
  let died = false;
  const database = await openEmbedded({ dataDir, purpose: "command", report, onExit: () => (died = true) });
  const { pid } = readState(dataDir);
  await Promise.all([database.stop(), database.stop()]);
  await database.stop();
  await hasEnded(pid ?? 0);
  expect(died, "a stop is not a death").toBe(false);
  expect(readdirSync(dataDir).sort()).toEqual(["mongo", "mongod.log"]);
  expect(readFileSync(join(dataDir, "mongo", "mongod.lock"), "utf8"), "mongod shut down cleanly").toBe("");
});

test.concurrent("onExit is called when mongod dies, and acknowledged writes are kept", async (t) => {
  const dataDir = freshDataDir(t);
  const { promise: died, resolve } = Promise.withResolvers<number | null>();
  const first = await openEmbedded({ dataDir, purpose: "serve", report, onExit: resolve });
  await withClient(first.uri, async (client) => {
    await client
      .db("test")
      .collection("records")
      .insertOne({ kept: true }, { writeConcern: { w: "majority" } });
    process.kill(readState(dataDir).pid ?? 0, "SIGKILL");
    expect(await died).toBeNull();
  });
  await first.stop();
  const second = await openEmbedded({ dataDir, purpose: "serve", report });
  const count = await withClient(second.uri, (client) => client.db("test").collection("records").countDocuments());
  await second.stop();
  expect(count).toBe(1);
});

test.concurrent("data that mongod cannot open is an error with the end of its log", async (t) => {
  const dataDir = freshDataDir(t);
  mkdirSync(join(dataDir, "mongo"));
  writeFileSync(join(dataDir, "mongo", "WiredTiger"), "not WiredTiger");
  writeFileSync(join(dataDir, "mongo", "storage.bson"), "not BSON");
  const failed = openEmbedded({ dataDir, purpose: "serve", report });
  await expect(failed).rejects.toThrow(/did not start on .* \(exit code \d+\):\n {2}.+\n.*Read .*mongod\.log/s);
  expect(existsSync(join(dataDir, "mongod.json")), "the data directory is released").toBe(false);
});

test.concurrent("a data directory that cannot be created is an error that names the setting", async (t) => {
  const file = join(freshDataDir(t), "file");
  writeFileSync(file, "");
  const failed = openEmbedded({
    dataDir: join(file, "data"),
    purpose: "serve",
    report,
    settingNames: { dataDir: "DATA_DIR" },
  });
  await expect(failed).rejects.toThrow(/cannot be written \(ENOTDIR\)\. Set DATA_DIR/);
});
