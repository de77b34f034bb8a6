import { setTimeout as delay } from "node:timers/promises";
import { EmbeddedError } from "./embedded-error.ts";
import { claim, type OwnerState, type Ownership, type Purpose } from "./ownership.ts";
import { birthTimeOf } from "./process-identity.ts";
import type { SettingNames } from "./setting-names.ts";

export interface AcquireOptions {
  purpose: Purpose;
  /** Called with lines of progress for people. */
  report(line: string): void;
  /** Milliseconds to wait for another process that uses the data directory. Default: 30 000. */
  waitMs?: number;
  settingNames?: SettingNames;
}

/** `uri`: the mongod of a running server. `ownership`: this process is to start one. */
export type Acquired = { uri: string } | { ownership: Ownership; previous: OwnerState | undefined };

/** A process that was just killed may appear alive for some milliseconds. */
const exitDelayMs = 500;

/**
 * Waits until this process owns the data directory, or until a server shares its mongod with this command.
 * @throws EmbeddedError when a server has it, or when the wait was too long
 */
export async function acquire(dataDir: string, options: AcquireOptions): Promise<Acquired> {
  const { purpose, report, waitMs = 30_000, settingNames } = options;
  const startedAt = Date.now();
  let nextReportAt = exitDelayMs;
  for (;;) {
    const result = await claim(dataDir, purpose);
    if (result.claimed) return result;
    const { owner } = result;
    const waitedMs = Date.now() - startedAt;
    if (owner.purpose === "serve" && owner.uri !== null) {
      if (purpose === "command" && isAlive(owner.pid)) return { uri: owner.uri };
      if (purpose === "serve" && waitedMs > exitDelayMs) throw ownedByServer(dataDir, owner, settingNames);
    }
    if (waitedMs > waitMs) throw stillInUse(dataDir, owner, settingNames);
    if (waitedMs > nextReportAt) {
      nextReportAt += 5000;
      report(`waiting for ${titleOf(owner)}, which uses the database in ${dataDir}`);
    }
    await delay(100);
  }
}

const isAlive = (pid: number | null): boolean => pid !== null && birthTimeOf(pid) !== undefined;

function ownedByServer(dataDir: string, owner: OwnerState, names: SettingNames | undefined): EmbeddedError {
  return new EmbeddedError(
    `Another server (process ${owner.ownerPid}, since ${owner.startedAt}) is already using the database in ${dataDir}.`,
    `Stop it, or set ${dataDirName(names)} to another folder.`,
  );
}

function stillInUse(dataDir: string, owner: OwnerState, names: SettingNames | undefined): EmbeddedError {
  return new EmbeddedError(
    `The database in ${dataDir} is still in use by ${titleOf(owner)}.`,
    `Wait until it ends, stop it, or set ${dataDirName(names)} to another folder.`,
  );
}

const titleOf = ({ purpose, ownerPid }: OwnerState): string =>
  `process ${ownerPid} (${purpose === "serve" ? "a server" : "a command"})`;

const dataDirName = (names: SettingNames | undefined): string => names?.dataDir ?? "the data directory";
