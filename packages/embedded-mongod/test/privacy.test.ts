import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MongoClient } from "mongodb";
import { beforeAll, expect, test } from "vitest";
import { findMongod } from "../src/binary/find-mongod.ts";
import { openEmbedded } from "../src/open-embedded.ts";
import { freePort, freshDataDir, readState, until } from "./owner.ts";

const report = (): void => undefined;
beforeAll(() => findMongod({ env: process.env, report }), 600_000);

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

const socketOf = (uri: string): string => decodeURIComponent(new URL(uri).hostname);

/** Inodes of the sockets of a process that listen on TCP, by /proc. */
function tcpListeners(pid: number): string[] {
  const listening = ["tcp", "tcp6"]
    .flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, "utf8").trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === "0A")
    .map((fields) => `socket:[${fields[9]}]`);
  const own = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  return own.filter((target) => listening.includes(target));
}

test.concurrent("only the owner can reach the database and its files", async (t) => {
  const dataDir = join(freshDataDir(t), "data");
  const database = await openEmbedded({ dataDir, purpose: "serve", report });
  const socket = socketOf(database.uri);
  expect(socket).toBe(join(dataDir, "mongo", "mongod.sock"));
  expect([dataDir, dirname(socket), socket].map(modeOf)).toEqual(["700", "700", "700"]);
  expect([join(dataDir, "mongod.json"), join(dataDir, "mongod.log")].map(modeOf)).toEqual(["600", "600"]);
  expect(tcpListeners(readState(dataDir).pid ?? 0)).toEqual([]);
  await database.stop();
  expect(existsSync(socket)).toBe(false);
});

test.concurrent("an existing data directory is closed to others, unless it has other files too", async (t) => {
  const [own, shared] = [join(freshDataDir(t), "own"), join(freshDataDir(t), "shared")];
  for (const dataDir of [own, shared]) mkdirSync(join(dataDir, "mongo"), { recursive: true, mode: 0o755 });
  writeFileSync(join(shared, "README"), "");
  for (const dataDir of [own, shared]) {
    const database = await openEmbedded({ dataDir, purpose: "command", report });
    await database.stop();
  }
  expect([own, shared].map(modeOf)).toEqual(["700", "755"]);
  expect([own, shared].map((dataDir) => modeOf(join(dataDir, "mongo")))).toEqual(["700", "700"]);
});

test.concurrent.for([
  ["too long for a socket", "d".repeat(100)],
  ["not usable in an address", "a,b: c"],
] as const)("a data directory whose path is %s gets its socket in a private temporary folder", async ([, name], t) => {
  const dataDir = join(freshDataDir(t), name);
  const database = await openEmbedded({ dataDir, purpose: "serve", report });
  const socket = socketOf(database.uri);
  expect(socket.startsWith(dataDir)).toBe(false);
  expect([dirname(socket), socket].map(modeOf)).toEqual(["700", "700"]);
  const client = new MongoClient(database.uri);
  await client.db("test").collection("records").insertOne({ written: true });
  await client.close();
  await database.stop();
  expect(existsSync(dirname(socket))).toBe(false);
});

test.concurrent("data that was served on a TCP port is served on the socket, complete", async (t) => {
  const dataDir = freshDataDir(t);
  const dbPath = join(dataDir, "mongo");
  mkdirSync(dbPath);
  const { path: binary } = await findMongod({ env: process.env, report });
  const port = await freePort();
  const args = ["--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket", "--dbpath", dbPath];
  const before = spawn(binary, [...args, "--replSet", "embedded"], { stdio: "ignore" });
  t.onTestFinished(() => void before.kill("SIGKILL"));
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  await client.db("admin").command({
    replSetInitiate: { _id: "embedded", members: [{ _id: 0, host: `127.0.0.1:${port}` }] },
  });
  const hello = () => client.db("admin").command({ hello: 1 });
  await until(async () => (await hello()).isWritablePrimary === true, "no primary");
  await client
    .db("test")
    .collection("records")
    .insertOne({ kept: true }, { writeConcern: { w: "majority" } });
  await client.close();
  before.kill("SIGTERM");
  await once(before, "exit");

  const database = await openEmbedded({ dataDir, purpose: "serve", report });
  const after = new MongoClient(database.uri);
  expect(await after.db("test").collection("records").countDocuments({ kept: true })).toBe(1);
  await after.close();
  await database.stop();
});
