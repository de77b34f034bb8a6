import { accessSync, constants, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { EmbeddedError, reasonOf } from "./embedded-error.ts";
import { findMongod } from "./mongod-binary.ts";
import { rotateLog } from "./mongod-log.ts";
import { startMongod } from "./mongod-process.ts";
import { stopOrphans } from "./orphan.ts";
import { claim, type OwnerState, type Ownership, type Purpose } from "./ownership.ts";
import { birthOf } from "./process-identity.ts";

/** A database this process may use until `stop`. */
export interface Database {
  /** For any number of processes on this machine; transactions and retryable writes work. */
  readonly uri: string;
  /** Gives the database back; shuts mongod down if this process owns it. Further calls wait for the first. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Where data, log and state file are kept, e.g. ".data"; made when missing. */
  dataDir: string;
  /**
   * "serve": owns mongod while it runs. "command": uses the mongod of a running server, else starts one for the time
   * of the command.
   */
  purpose: Purpose;
  /** Lines for a person: progress of downloads, what is being waited for. */
  report(line: string): void;
  env?: NodeJS.ProcessEnv;
  /** Told if mongod dies by itself; null when a signal ended it. */
  onExit?(code: number | null): void;
  /** Milliseconds to wait for another process that has the database; 30 000 when left out. */
  patience?: number;
}

/**
 * Opens the database of a data directory.
 * @throws EmbeddedError when another server has it, when no mongod can be had, and when mongod doesn't start
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Database> {
  const dataDir = prepare(options.dataDir);
  const mine = await acquire(dataDir, options);
  if ("uri" in mine) return { uri: mine.uri, stop: async () => undefined };
  try {
    return await start(dataDir, mine.ownership, mine.before, options);
  } catch (error) {
    mine.ownership.release();
    throw error;
  }
}

/** A process that was just killed is seen alive for some milliseconds more. */
const dyingMs = 500;

type Acquired = { uri: string } | { ownership: Ownership; before: OwnerState | undefined };

/** Waits until the directory is ours, or until a server shares its mongod with this command. */
async function acquire(dataDir: string, { purpose, report, patience = 30_000 }: EmbeddedOptions): Promise<Acquired> {
  const began = Date.now();
  let told = 0;
  for (;;) {
    const outcome = await claim(dataDir, purpose);
    if (!outcome.taken) return outcome;
    const { by } = outcome;
    const waited = Date.now() - began;
    if (by.purpose === "serve" && by.uri !== null) {
      if (purpose === "command" && by.pid !== null && birthOf(by.pid) !== undefined) return { uri: by.uri };
      if (purpose === "serve" && waited > dyingMs) throw clash(dataDir, by);
    }
    if (waited > patience) {
      throw new EmbeddedError(
        `The database in ${dataDir} is still in use by process ${by.ownerPid} (${titleOf(by)}).`,
        "Wait until it ends or stop it, or choose another data directory (DATA_DIR).",
      );
    }
    if (waited >= told && waited > dyingMs) {
      told += 5000;
      report(`waiting for process ${by.ownerPid} (${titleOf(by)}), which has the database in ${dataDir}`);
    }
    await pause(100);
  }
}

async function start(
  dataDir: string,
  ownership: Ownership,
  before: OwnerState | undefined,
  { env = process.env, report, onExit }: EmbeddedOptions,
): Promise<Database> {
  const binary = await findMongod({ env, report });
  const dbPath = join(dataDir, "mongo");
  const logPath = join(dataDir, "mongod.log");
  await stopOrphans(dbPath, before?.pid, report);
  mkdirSync(dbPath, { recursive: true });
  rotateLog(logPath);
  report(`starting mongod ${binary.version} (${binary.path}) on ${dbPath}`);
  const mongod = await startMongod({
    binary: binary.path,
    dbPath,
    logPath,
    durable: true,
    env,
    report,
    onSpawn: (pid, port) => ownership.record({ pid, port }),
    ...(onExit && { onExit }),
  });
  ownership.record({ uri: mongod.uri });

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    try {
      // Commands that come now wait for the end instead of joining a mongod that is about to go.
      ownership.record({ uri: null });
    } catch {
      // A full disk must not keep mongod running.
    }
    await mongod.stop("SIGTERM");
    ownership.release();
  };
  return { uri: mongod.uri, stop: () => (stopped ??= stop()) };
}

/** Makes the directory. @returns its absolute path with links resolved, by which mongod processes are recognized */
function prepare(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    throw new EmbeddedError(
      `The data directory ${dataDir} can't be written (${reasonOf(error)}).`,
      "Set DATA_DIR to a folder that this user may write.",
      [],
      error,
    );
  }
}

function clash(dataDir: string, by: OwnerState): EmbeddedError {
  return new EmbeddedError(
    `Another server (process ${by.ownerPid}, since ${by.startedAt}) is already using the database in ${dataDir}.`,
    "Stop it first, or start this one with another DATA_DIR and another PORT.",
  );
}

const titleOf = ({ purpose }: OwnerState): string => (purpose === "serve" ? "a server" : "a command");
