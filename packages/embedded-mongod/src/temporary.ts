import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "./embedded.ts";
import { findMongod } from "./mongod-binary.ts";
import { startMongod } from "./mongod-process.ts";

export interface TemporaryOptions {
  /** Lines for a person; stderr when left out. */
  report?(line: string): void;
  env?: NodeJS.ProcessEnv;
}

/**
 * Starts a mongod on an empty folder in the system's temporary directory, for tests. `stop` kills it and removes the
 * folder, and so does the end of this process, however it ends. Majority writes don't wait for the disk.
 * @throws EmbeddedError when no mongod can be had or it doesn't start
 */
export async function openTemporary(options: TemporaryOptions = {}): Promise<Database> {
  const { env = process.env, report = (line) => void process.stderr.write(`${line}\n`) } = options;
  const binary = await findMongod({ env, report });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "project-feedback-")));
  const dbPath = join(folder, "mongo");
  mkdirSync(dbPath);
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
