import { openEmbedded } from "@project-feedback/embedded-mongod";
import type { Config } from "../config.ts";
import { connect, type Database } from "../store/database.ts";
import { makeIndexes } from "../store/indexes.ts";
import { CommandError } from "./command-error.ts";
import { expectedError } from "./expected-error.ts";

/** A database server that may be used until `stop`. */
export interface Opened {
  readonly uri: string;
  stop(): Promise<void>;
}

export interface OpenOptions {
  /** Takes lines for a person, such as the progress of a download. */
  readonly report?: (line: string) => void;
  /** Called when the embedded mongod ends by itself, with its exit code, or null when a signal ended it. */
  readonly onExit?: (code: number | null) => void;
}

type Place = Pick<Config, "mongodbUri" | "dataDir">;

/**
 * Opens the database of MONGODB_URI, else the embedded one.
 * @throws CommandError when there is none
 */
export async function openDatabase(
  config: Place,
  purpose: "serve" | "command",
  { report = (line) => void process.stderr.write(`${line}\n`), onExit }: OpenOptions = {},
): Promise<Opened> {
  if (config.mongodbUri !== undefined) return { uri: config.mongodbUri, stop: async () => undefined };
  try {
    return await openEmbedded({
      dataDir: config.dataDir,
      purpose,
      report,
      settingNames: { dataDir: "DATA_DIR", uri: "MONGODB_URI" },
      ...(onExit && { onExit }),
    });
  } catch (error) {
    throw expectedError(error, config);
  }
}

/** Runs work that may take minutes on a connection of its own. */
export async function onDatabase<Result>(uri: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await connect(uri, { patient: true });
  try {
    await requireTransactions(database);
    return await work(database);
  } finally {
    await database.client.close();
  }
}

/** A standalone mongod has no transactions: the first write would fail. */
async function requireTransactions({ db }: Database): Promise<void> {
  const hello = await db.admin().command({ hello: 1 });
  if (hello.setName !== undefined || hello.msg === "isdbgrid") return;
  throw new CommandError(
    "MONGODB_URI names a standalone mongod, which has no transactions. Start it with --replSet and initiate the set, or name another.",
    2,
  );
}

/**
 * Runs a command on the database, which may be a running server's, and closes it.
 * @throws CommandError where the database cannot be used
 */
export async function withDatabase<Result>(
  config: Place,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const opened = await openDatabase(config, "command");
  try {
    return await onDatabase(opened.uri, async (database) => {
      await makeIndexes(database);
      return work(database);
    });
  } catch (error) {
    throw expectedError(error, config);
  } finally {
    await opened.stop();
  }
}
