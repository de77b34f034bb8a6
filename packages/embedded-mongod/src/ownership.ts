import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFolderLock } from "./folder-lock.ts";
import { birthTimeOf } from "./process-identity.ts";

/** "serve": keeps mongod while it runs. "command": uses a running server's mongod, else starts one while it runs. */
export type Purpose = "serve" | "command";

/** The contents of `mongod.json`: the process that owns a data directory, and its mongod. */
export interface OwnerState {
  ownerPid: number;
  /** Distinguishes the owner from a later process with the same id. */
  ownerBirth: string;
  purpose: Purpose;
  /** Process id of mongod; null until it is spawned. */
  pid: number | null;
  /** Null while mongod starts and while it stops. */
  uri: string | null;
  /** RFC 3339, when the owner claimed the directory. */
  startedAt: string;
}

export type ClaimResult =
  | { claimed: false; owner: OwnerState }
  /** `previous` is the state that a dead owner left. */
  | { claimed: true; ownership: Ownership; previous: OwnerState | undefined };

/** This process owns the data directory until `release`. */
export interface Ownership {
  /** @throws the file system's error */
  record(change: Partial<Pick<OwnerState, "pid" | "uri">>): void;
  /** Never fails. */
  release(): void;
}

/**
 * Claims an existing data directory for this process unless a live process owns it. A claim does not expire: it ends
 * with the process, so the directory of a server that was killed is free at once.
 */
export async function claim(dataDir: string, purpose: Purpose): Promise<ClaimResult> {
  const path = join(dataDir, "mongod.json");
  // The lock is held for milliseconds. It becomes stale only when a process is killed within them.
  return withFolderLock(join(dataDir, "mongod.claim"), { staleMs: 2000 }, (): ClaimResult => {
    const previous = readState(path);
    if (previous && birthTimeOf(previous.ownerPid) === previous.ownerBirth) return { claimed: false, owner: previous };
    return { claimed: true, previous, ownership: takeOwnership(path, purpose) };
  });
}

function takeOwnership(path: string, purpose: Purpose): Ownership {
  let state: OwnerState = {
    ownerPid: process.pid,
    ownerBirth: birthTimeOf(process.pid) ?? "",
    purpose,
    pid: null,
    uri: null,
    startedAt: new Date().toISOString(),
  };
  writeState(path, state);
  return {
    record(change) {
      state = { ...state, ...change };
      writeState(path, state);
    },
    release() {
      try {
        rmSync(path, { force: true });
      } catch {
        // The state of a process that has ended claims nothing, so it may stay.
      }
    },
  };
}

function writeState(path: string, state: OwnerState): void {
  const draft = `${path}.new`;
  try {
    writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Undefined for a file that is missing or was not written by this package. */
function readState(path: string): OwnerState | undefined {
  try {
    const state = JSON.parse(readFileSync(path, "utf8")) as OwnerState | null;
    return typeof state?.ownerPid === "number" && typeof state.ownerBirth === "string" ? state : undefined;
  } catch {
    return undefined;
  }
}
