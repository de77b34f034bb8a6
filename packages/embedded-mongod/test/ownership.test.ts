import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { findMongod } from "../src/binary/find-mongod.ts";
import { EmbeddedError } from "../src/embedded-error.ts";
import { openEmbedded } from "../src/open-embedded.ts";
import { birthTimeOf } from "../src/process-identity.ts";
import { freshDataDir, readState, startOwner } from "./owner.ts";

const report = (): void => undefined;
beforeAll(() => findMongod({ env: process.env, report }), 600_000);

test.concurrent("a command uses the mongod of a running server and leaves it running", async (t) => {
  const dataDir = freshDataDir(t);
  const owner = await startOwner(t, dataDir, "serve");
  const { pid } = readState(dataDir);
  const database = await openEmbedded({ dataDir, purpose: "command", report });
  expect(database.uri).toBe(owner.uri);
  await database.stop();
  expect(birthTimeOf(pid ?? 0)).toBeDefined();
});

test.concurrent("a second server fails with an error that names the first", async (t) => {
  const dataDir = freshDataDir(t);
  const first = await openEmbedded({ dataDir, purpose: "serve", report });
  const failed = openEmbedded({ dataDir, purpose: "serve", report });
  await expect(failed).rejects.toBeInstanceOf(EmbeddedError);
  await expect(failed).rejects.toThrow(new RegExp(`process ${process.pid}.*Stop it, .*the data directory`));
  await first.stop();
});

test.concurrent.for(["serve", "command"] as const)(
  "a %s waits for a command, reports it, then starts its own mongod",
  { timeout: 20_000 },
  async (purpose, t) => {
    const dataDir = freshDataDir(t);
    const command = await openEmbedded({ dataDir, purpose: "command", report });
    const { pid } = readState(dataDir);
    const reported: string[] = [];
    const opening = openEmbedded({ dataDir, purpose, report: (line) => void reported.push(line) });
    await pause(700);
    await command.stop();
    const database = await opening;
    expect(reported[0]).toContain(`waiting for process ${process.pid} (a command)`);
    expect(birthTimeOf(pid ?? 0)).toBeUndefined();
    expect(readState(dataDir)).toMatchObject({ purpose, uri: database.uri });
    await database.stop();
  },
);

test.concurrent("the wait for a command has a limit", async (t) => {
  const dataDir = freshDataDir(t);
  const command = await openEmbedded({ dataDir, purpose: "command", report });
  const failed = openEmbedded({ dataDir, purpose: "serve", report, waitMs: 1000 });
  await expect(failed).rejects.toThrow(`in use by process ${process.pid} (a command)`);
  await command.stop();
});

test.concurrent("of two servers that start at the same moment, one fails with an error", async (t) => {
  const dataDir = freshDataDir(t);
  const both = await Promise.allSettled([1, 2].map(() => openEmbedded({ dataDir, purpose: "serve", report })));
  const won = both.filter((outcome) => outcome.status === "fulfilled");
  expect(won).toHaveLength(1);
  expect(both.find((outcome) => outcome.status === "rejected")?.reason).toBeInstanceOf(EmbeddedError);
  await won[0]?.value.stop();
});
