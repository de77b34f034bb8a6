import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EmbeddedError } from "../embedded-error.ts";
import { isMongodOn } from "../process-identity.ts";

/** Time for a clean shutdown. After it mongod is killed; the journal loses nothing. */
const shutdownMs = 10_000;
/** Time for a killed mongod to end. */
const killMs = 5000;

/**
 * Stops a mongod that outlived its owner: the one that the state file names, and the one that mongod's own lock file
 * names. A process that is not a mongod on this data is left alone.
 * @throws EmbeddedError when it does not end
 */
export async function stopOrphans(
  dbPath: string,
  recordedPid: number | null | undefined,
  report: (line: string) => void,
): Promise<void> {
  const pids = new Set([recordedPid, pidInLockFile(dbPath)]);
  for (const pid of pids) {
    if (typeof pid !== "number" || !isMongodOn(pid, dbPath)) continue;
    report(`stopping mongod (process ${pid}), left over from a server that was killed`);
    await stop(pid, dbPath);
  }
}

async function stop(pid: number, dbPath: string): Promise<void> {
  const startedAt = Date.now();
  send(pid, "SIGTERM");
  // A stopped process handles SIGTERM only after it continues.
  send(pid, "SIGCONT");
  while (isMongodOn(pid, dbPath)) {
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > shutdownMs) send(pid, "SIGKILL");
    if (waitedMs > shutdownMs + killMs) throw doesNotEnd(pid, dbPath);
    await delay(25);
  }
}

function doesNotEnd(pid: number, dbPath: string): EmbeddedError {
  return new EmbeddedError(
    `mongod (process ${pid}) still serves ${dbPath} and does not end, even by SIGKILL.`,
    "Check the disk, for which it probably waits, or restart the machine.",
  );
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited.
  }
}

/** mongod writes its process id into this file, and empties it when it stops cleanly. */
function pidInLockFile(dbPath: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dbPath, "mongod.lock"), "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
