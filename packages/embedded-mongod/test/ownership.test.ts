import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { openEmbedded } from "../src/embedded.ts";
import { EmbeddedError } from "../src/embedded-error.ts";
import { findMongod } from "../src/mongod-binary.ts";
import { birthOf } from "../src/process-identity.ts";
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
  expect(birthOf(pid ?? 0)).toBeDefined();
});

test.concurrent("a second server is told which process has the data and what to do", async (t) => {
  const dataDir = freshDataDir(t);
  const first = await openEmbedded({ dataDir, purpose: "serve", report });
  const failed = openEmbedded({ dataDir, purpose: "serve", report });
  await expect(failed).rejects.toBeInstanceOf(EmbeddedError);
  await expect(failed).rejects.toThrow(new RegExp(`process ${process.pid}.*Stop it first, .*DATA_DIR.*PORT`));
  await first.stop();
});

test.concurrent.for(["serve", "command"] as const)(
  "a %s waits for a command, says so, then starts its own",
  {
    timeout: 20_000,
  },
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
    expect(birthOf(pid ?? 0)).toBeUndefined();
    expect(readState(dataDir)).toMatchObject({ purpose, uri: database.uri });
    await database.stop();
  },
);

test.concurrent("the wait for a command has an end", async (t) => {
  const dataDir = freshDataDir(t);
  const command = await openEmbedded({ dataDir, purpose: "command", report });
  const failed = openEmbedded({ dataDir, purpose: "serve", report, patience: 1000 });
  await expect(failed).rejects.toThrow(`in use by process ${process.pid} (a command)`);
  await command.stop();
});

test.concurrent("two servers that start at the same moment: one has it, the other is told", async (t) => {
  const dataDir = freshDataDir(t);
  const both = await Promise.allSettled([1, 2].map(() => openEmbedded({ dataDir, purpose: "serve", report })));
  const won = both.filter((outcome) => outcome.status === "fulfilled");
  expect(won).toHaveLength(1);
  expect(both.find((outcome) => outcome.status === "rejected")?.reason).toBeInstanceOf(EmbeddedError);
  await won[0]?.value.stop();
});
