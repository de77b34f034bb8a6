import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isMongodOn } from "./process-identity.ts";

/** Milliseconds an orphan gets for a clean shutdown before it is killed; the journal loses nothing. */
const patience = 10_000;

/**
 * Stops a mongod that outlived its owner: the one the state file names, and the one mongod's own lock file names.
 * A process that isn't a mongod on these data is left alone, whatever the files say.
 */
export async function stopOrphans(
  dbPath: string,
  recorded: number | null | undefined,
  report: (line: string) => void,
): Promise<void> {
  const named = new Set([recorded, pidInLockFile(dbPath)]);
  for (const pid of named) {
    if (typeof pid !== "number" || !isMongodOn(pid, dbPath)) continue;
    report(`stopping mongod (process ${pid}), left over from a server that was killed`);
    await end(pid, dbPath);
  }
}

async function end(pid: number, dbPath: string): Promise<void> {
  const began = Date.now();
  send(pid, "SIGTERM");
  while (isMongodOn(pid, dbPath)) {
    if (Date.now() - began > patience) send(pid, "SIGKILL");
    await pause(25);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

/** mongod writes its process id into its data, and empties the file when it stops cleanly. */
function pidInLockFile(dbPath: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dbPath, "mongod.lock"), "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
