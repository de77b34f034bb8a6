import { join } from "node:path";
import { type Acquired, type AcquireOptions, acquire } from "./acquire.ts";
import { findMongod } from "./binary/find-mongod.ts";
import { cannotBeWritten, prepareDataDirectory } from "./data-directory.ts";
import type { EmbeddedDatabase } from "./embedded-database.ts";
import { makeFolder } from "./folders.ts";
import type { Ownership } from "./ownership.ts";
import { rotateLog } from "./process/log.ts";
import { stopOrphans } from "./process/orphans.ts";
import { type MongodProcess, startMongod } from "./process/start-mongod.ts";

export interface OpenEmbeddedOptions extends AcquireOptions {
  /** The folder for data, log and state file, such as ".data". Created when missing. */
  dataDir: string;
  /** Default: `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** Called when mongod ends without a call of `stop`. The exit code is null when a signal ended it. */
  onExit?(code: number | null): void;
}

/**
 * Opens the database of a data directory.
 * @throws EmbeddedError when another server uses it, when there is no mongod, and when mongod does not start
 */
export async function openEmbedded(options: OpenEmbeddedOptions): Promise<EmbeddedDatabase> {
  const { settingNames } = options;
  const dataDir = prepareDataDirectory(options.dataDir, settingNames);
  try {
    return await open(dataDir, options);
  } catch (error) {
    throw isSystemError(error) ? cannotBeWritten(dataDir, error, settingNames) : error;
  }
}

async function open(dataDir: string, options: OpenEmbeddedOptions): Promise<EmbeddedDatabase> {
  const acquired = await acquire(dataDir, options);
  if ("uri" in acquired) return { uri: acquired.uri, stop: async () => undefined };
  try {
    return await start(dataDir, acquired, options);
  } catch (error) {
    acquired.ownership.release();
    throw error;
  }
}

async function start(
  dataDir: string,
  { ownership, previous }: Exclude<Acquired, { uri: string }>,
  { env = process.env, report, onExit, settingNames }: OpenEmbeddedOptions,
): Promise<EmbeddedDatabase> {
  const binary = await findMongod({ env, report, ...(settingNames && { settingNames }) });
  const dbPath = join(dataDir, "mongo");
  const logPath = join(dataDir, "mongod.log");
  await stopOrphans(dbPath, previous?.pid, report);
  makeFolder(dbPath, 0o700);
  rotateLog(logPath);
  report(`starting mongod ${binary.version} (${binary.path}) on ${dbPath}`);
  const mongod = await startMongod({
    binary: binary.path,
    dbPath,
    logPath,
    durable: true,
    env,
    report,
    onSpawn: (pid) => ownership.record({ pid }),
    ...(onExit && { onExit }),
    ...(settingNames && { settingNames }),
  });
  ownership.record({ uri: mongod.uri });
  let stopped: Promise<void> | undefined;
  return { uri: mongod.uri, stop: () => (stopped ??= stop(mongod, ownership)) };
}

async function stop(mongod: MongodProcess, ownership: Ownership): Promise<void> {
  try {
    // Commands that start now wait for the end instead of using a mongod that is about to stop.
    ownership.record({ uri: null });
  } catch {
    // A full disk must not keep mongod running.
  }
  await mongod.stop("SIGTERM");
  ownership.release();
}

/** An error of a system call, such as ENOSPC. */
const isSystemError = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException | null)?.syscall === "string";
