/**
 * Who has the database of a data directory: the state file names one owner, and an owner that isn't alive is no owner.
 * There is nothing to expire, so the place of a server that was killed is free at once.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFolderLock } from "./folder-lock.ts";
import { birthOf } from "./process-identity.ts";

export type Purpose = "serve" | "command";

/** The contents of `mongod.json`. */
export interface OwnerState {
  ownerPid: number;
  /** Tells the owner from a later process with the same id. */
  ownerBirth: string;
  purpose: Purpose;
  /** mongod's own; null until it is spawned. */
  pid: number | null;
  port: number | null;
  /** null while mongod starts and while it stops. */
  uri: string | null;
  /** RFC 3339, when the owner claimed the directory. */
  startedAt: string;
}

export type Claim =
  | { taken: true; by: OwnerState }
  /** `before` is what a dead owner left. */
  | { taken: false; ownership: Ownership; before: OwnerState | undefined };

/** The claim of this process, until `release`. */
export interface Ownership {
  record(change: Partial<Pick<OwnerState, "pid" | "port" | "uri">>): void;
  release(): void;
}

/** Claims a data directory for this process unless a live one has it. The directory exists. */
export async function claim(dataDir: string, purpose: Purpose): Promise<Claim> {
  const path = join(dataDir, "mongod.json");
  // The lock is held for the milliseconds of look-and-write, so its own expiry only matters for a kill within them.
  return withFolderLock(join(dataDir, "mongod.claim"), { stale: 2000 }, (): Claim => {
    const before = readState(path);
    if (before && birthOf(before.ownerPid) === before.ownerBirth) return { taken: true, by: before };
    let state: OwnerState = {
      ownerPid: process.pid,
      ownerBirth: birthOf(process.pid) ?? "",
      purpose,
      pid: null,
      port: null,
      uri: null,
      startedAt: new Date().toISOString(),
    };
    writeState(path, state);
    const record: Ownership["record"] = (change) => {
      state = { ...state, ...change };
      writeState(path, state);
    };
    return { taken: false, before, ownership: { record, release: () => rmSync(path, { force: true }) } };
  });
}

function writeState(path: string, state: OwnerState): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(draft, path);
}

/** Anything that isn't a state was not written by us and claims nothing. */
function readState(path: string): OwnerState | undefined {
  try {
    const state = JSON.parse(readFileSync(path, "utf8")) as OwnerState | null;
    return typeof state?.ownerPid === "number" && typeof state.ownerBirth === "string" ? state : undefined;
  } catch {
    return undefined;
  }
}
