import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, expect, test } from "vitest";
import { findMongod } from "../src/binary/find-mongod.ts";
import { openEmbedded } from "../src/open-embedded.ts";
import { stopProcess } from "../src/process/stop-process.ts";
import { freshDataDir, hasEnded, readState, startOwner } from "./owner.ts";

const report = (): void => undefined;
beforeAll(() => findMongod({ env: process.env, report }), 600_000);

test.concurrent("a mongod that was stopped by SIGSTOP shuts down cleanly, within 10 s", async (t) => {
  const dataDir = freshDataDir(t);
  const database = await openEmbedded({ dataDir, purpose: "serve", report });
  const pid = readState(dataDir).pid ?? 0;
  process.kill(pid, "SIGSTOP");
  const startedAt = Date.now();
  await database.stop();
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  await hasEnded(pid);
});

test.concurrent("a start takes over at once from a killed server whose mongod was stopped by SIGSTOP", async (t) => {
  const dataDir = freshDataDir(t);
  const owner = await startOwner(t, dataDir, "serve");
  process.kill(readState(dataDir).pid ?? 0, "SIGSTOP");
  owner.child.kill("SIGKILL");
  await owner.exited;
  const startedAt = Date.now();
  const database = await openEmbedded({ dataDir, purpose: "serve", report });
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  await database.stop();
});

test.concurrent("stop returns at once when mongod was killed, and onExit was called", async (t) => {
  const dataDir = freshDataDir(t);
  const { promise: died, resolve } = Promise.withResolvers<number | null>();
  const database = await openEmbedded({ dataDir, purpose: "serve", report, onExit: resolve });
  process.kill(readState(dataDir).pid ?? 0, "SIGKILL");
  expect(await died).toBeNull();
  const startedAt = Date.now();
  await database.stop();
  expect(Date.now() - startedAt).toBeLessThan(1000);
});

test.concurrent("a process that ignores SIGTERM is killed after the time for a clean shutdown", async () => {
  const child = spawn("/bin/sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"]);
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  await stopProcess(child, "SIGTERM", exited, { shutdownMs: 300, killMs: 5000 });
  expect(child.signalCode).toBe("SIGKILL");
});

test.concurrent("stop does not wait for a process that even SIGKILL does not end", async () => {
  const child = spawn("sleep", ["60"]);
  const never = new Promise<never>(() => undefined);
  const startedAt = Date.now();
  await stopProcess(child, "SIGTERM", never, { shutdownMs: 100, killMs: 100 });
  expect(Date.now() - startedAt).toBeLessThan(2000);
});
