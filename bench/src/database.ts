// The MongoDB of a run. Its data is kept between runs, for a million projects take minutes to make.

import { mkdirSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findMongod, startMongod } from "@project-feedback/embedded-mongod";
import { connect, type Database } from "@project-feedback/server/store/database";
import { freePort } from "@project-feedback/server/testing/processes";
import { MongoClient } from "mongodb";
import { seed } from "./seed.ts";

/** What the bench can make again: databases, logs, results. */
export const dataFolder = fileURLToPath(new URL("../.data/", import.meta.url));

export interface Mongod {
  readonly pid: number;
  readonly version: string;
  readonly cacheGigabytes: number;
  /** The address of the database with so many projects. */
  uriOf(projects: number): string;
  stop(): Promise<void>;
}

const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
/** mongod's own default, half of the memory beyond one gigabyte; what `pnpm start` starts takes less. */
const usualCache = Math.max(0.25, (memory / 2 ** 30 - 1) / 2).toFixed(2);

/** Starts the bench's mongod, with its journal and MongoDB's default cache, as in production. */
export async function openMongod(log: (line: string) => void): Promise<Mongod> {
  const cacheGigabytes = process.env.MONGOD_CACHE_GB || usualCache;
  const env = { ...process.env, MONGOD_CACHE_GB: cacheGigabytes };
  const { path: binary } = await findMongod({ env, report: log });
  const dbPath = join(dataFolder, "mongo");
  mkdirSync(dbPath, { recursive: true });
  const logPath = join(dataFolder, "mongod.log");
  // By TCP, as most deployments reach their database; a Unix socket would be faster.
  const port = await freePort();
  const mongod = await startMongod({ binary, dbPath, logPath, durable: true, env, port, report: log });
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const client = await new MongoClient(uri).connect();
  const { version } = await client.db("admin").command({ buildInfo: 1 });
  await client.close();
  return {
    pid: mongod.pid,
    version,
    cacheGigabytes: Number(cacheGigabytes),
    uriOf(projects) {
      const database = new URL(uri);
      database.pathname = `/bench_${projects}`;
      return database.href;
    },
    stop: () => mongod.stop("SIGTERM"),
  };
}

/** Connects to the database with so many projects, and fills it first where needed. */
export async function openSeeded(
  mongod: Mongod,
  projects: number,
  log: (line: string) => void,
  options: { readonly monitorCommands?: boolean } = {},
): Promise<Database> {
  const database = await connect(mongod.uriOf(projects), { patient: true, ...options });
  await seed(database, projects, log);
  return database;
}
