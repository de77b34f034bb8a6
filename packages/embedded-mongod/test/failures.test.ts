import { execFile } from "node:child_process";
import { chmodSync, existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openEmbedded } from "../src/open-embedded.ts";
import { freshDataDir } from "./owner.ts";

const report = (): void => undefined;
const run = promisify(execFile);

test.concurrent("a mongod that finds the disk full is reported as that, whatever else its log says", async (t) => {
  const folder = freshDataDir(t);
  const MONGOD_BINARY = join(folder, "mongod");
  // As in the log of mongod 6.0.5, whose messages are longer than what people are shown of them.
  const log = [
    `{"s":"E","msg":"WiredTiger error message","attr":{"thread":"${"0".repeat(500)}","msg":"No space left on device"}}`,
    '{"s":"F","msg":"Wrong mongod version","attr":{"error":"featureCompatibilityVersion"}}',
  ];
  writeFileSync(
    MONGOD_BINARY,
    `#!/bin/sh\n[ "$1" = --version ] && echo "db version v6.0.5" && exit\necho '${log.join("\n")}'\nexit 14\n`,
  );
  chmodSync(MONGOD_BINARY, 0o755);
  const env = { ...process.env, MONGOD_BINARY };
  const failed = openEmbedded({ dataDir: join(folder, "data"), purpose: "serve", report, env });
  await expect(failed).rejects.toThrow("The disk is full: free some space, then start again.");
});

test.concurrent("a state file that does not fit on the disk is an error for people, and leaves nothing behind", async (t) => {
  const dataDir = freshDataDir(t);
  // Every write to /dev/full fails with ENOSPC.
  symlinkSync("/dev/full", join(dataDir, "mongod.json.new"));
  const failed = openEmbedded({ dataDir, purpose: "serve", report });
  await expect(failed).rejects.toThrow(
    `The data directory ${dataDir} cannot be written (ENOSPC). The disk is full: free some space, then start again.`,
  );
  expect(readdirSync(dataDir)).toEqual([]);
  expect(existsSync("/dev/full")).toBe(true);
});

test.concurrent("a data directory in /proc is an error at once", async () => {
  const program = fileURLToPath(new URL("./owner-program.ts", import.meta.url));
  // In a process of its own: a loop in a system call cannot be interrupted.
  const failed = run(process.execPath, [program, "/proc/x", "serve"], { timeout: 10_000, killSignal: "SIGKILL" });
  await expect(failed).rejects.toThrow("The data directory /proc/x cannot be written (ENOENT).");
});
