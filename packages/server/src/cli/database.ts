import { openEmbedded } from "@project-feedback/embedded-mongod";
import { type Config, ConfigError } from "../config.ts";
import { connect, type Database } from "../store/database.ts";
import { makeIndexes } from "../store/indexes.ts";

/** A database server that may be used until `stop`. */
export interface Opened {
  readonly uri: string;
  stop(): Promise<void>;
}

/** The database of MONGODB_URI, else the embedded one. */
export async function openDatabase(
  config: Pick<Config, "mongodbUri" | "dataDir">,
  purpose: "serve" | "command",
  onExit?: () => void,
): Promise<Opened> {
  if (config.mongodbUri !== undefined) return { uri: config.mongodbUri, stop: async () => undefined };
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  return openEmbedded({
    dataDir: config.dataDir,
    purpose,
    report,
    settingNames: { dataDir: "DATA_DIR", uri: "MONGODB_URI" },
    ...(onExit && { onExit }),
  });
}

/** A standalone mongod has no transactions: the first write would fail. */
export async function requireTransactions({ db }: Database): Promise<void> {
  const hello = await db.admin().command({ hello: 1 });
  if (hello.setName !== undefined || hello.msg === "isdbgrid") return;
  throw new ConfigError(
    "MONGODB_URI names a standalone mongod, which has no transactions. Start it with --replSet and initiate the set, or name another.",
  );
}

/** Runs a command on the database, which may be a running server's, and closes it. */
export async function withDatabase<Result>(
  config: Pick<Config, "mongodbUri" | "dataDir">,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const opened = await openDatabase(config, "command");
  try {
    const database = await connect(opened.uri, { patient: true });
    try {
      await requireTransactions(database);
      await makeIndexes(database);
      return await work(database);
    } finally {
      await database.client.close();
    }
  } finally {
    await opened.stop();
  }
}
