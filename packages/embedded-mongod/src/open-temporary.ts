import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMongod } from "./binary/find-mongod.ts";
import type { EmbeddedDatabase } from "./embedded-database.ts";
import { startMongod } from "./process/start-mongod.ts";

export interface OpenTemporaryOptions {
  /** Called with lines of progress for people. Default: writes them to stderr. */
  report?(line: string): void;
  env?: NodeJS.ProcessEnv;
}

/**
 * Starts a mongod on an empty temporary folder, for tests. `stop` kills it and removes the folder; so does the end of
 * this process, in whatever way it ends. Majority writes do not wait for the disk.
 * @throws EmbeddedError when there is no mongod or it does not start
 */
export async function openTemporary(options: OpenTemporaryOptions = {}): Promise<EmbeddedDatabase> {
  const { env = process.env, report = (line) => void process.stderr.write(`${line}\n`) } = options;
  const binary = await findMongod({ env, report });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "embedded-mongod-")));
  const dbPath = join(folder, "mongo");
  mkdirSync(dbPath, { mode: 0o700 });
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const mongod = await startMongod({
      binary: binary.path,
      dbPath,
      logPath: join(folder, "mongod.log"),
      durable: false,
      env,
      report,
      removeIfOrphaned: folder,
    });
    let stopped: Promise<void> | undefined;
    return { uri: mongod.uri, stop: () => (stopped ??= mongod.stop("SIGKILL").then(remove)) };
  } catch (error) {
    await remove();
    throw error;
  }
}
