import { realpathSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Document, MongoClient, MongoServerError } from "mongodb";

export const setName = "embedded";

export interface ReplicaSetOptions {
  port: number;
  dbPath: string;
  /** False lets majority writes be acknowledged before they are on disk: for data that nobody keeps. */
  durable: boolean;
}

/**
 * The address for this mongod. directConnection: the driver goes by this address and not by the one the set's
 * configuration holds. Transactions and retryable writes work as on any replica set.
 */
export function uriOf(port: number): string {
  return `mongodb://127.0.0.1:${port}/?directConnection=true`;
}

/**
 * Brings the one member to primary: new data gets a configuration, data that were last served on another port get
 * theirs corrected (mongod finds itself by host:port and stays idle when it isn't in the set).
 * @param signal gives up when aborted
 * @throws the driver's errors; Error when another mongod answers on the port
 */
export async function makePrimary(options: ReplicaSetOptions, signal: AbortSignal): Promise<void> {
  const client = new MongoClient(uriOf(options.port), { serverSelectionTimeoutMS: 5000, connectTimeoutMS: 5000 });
  try {
    await checkIdentity(client, options.dbPath);
    for (;;) {
      signal.throwIfAborted();
      const hello = await client.db("admin").command({ hello: 1 });
      if (hello.isWritablePrimary === true) return;
      await configure(client, options);
      await pause(20);
    }
  } finally {
    await client.close();
  }
}

/** Between choosing a free port and binding it, another mongod may have taken it; that one must not be configured. */
async function checkIdentity(client: MongoClient, dbPath: string): Promise<void> {
  const { parsed } = await client.db("admin").command({ getCmdLineOpts: 1 });
  const servedPath: unknown = (parsed as Document).storage?.dbPath;
  if (typeof servedPath !== "string" || realpathSync(servedPath) !== dbPath) {
    throw new Error("another mongod answers on this port");
  }
}

async function configure(client: MongoClient, { port, durable }: ReplicaSetOptions): Promise<void> {
  const host = `127.0.0.1:${port}`;
  const admin = client.db("admin");
  const stored = await client.db("local").collection("system.replset").findOne();
  try {
    if (stored === null) {
      const members = [{ _id: 0, host }];
      await admin.command({
        replSetInitiate: { _id: setName, members, writeConcernMajorityJournalDefault: durable },
      });
    } else if (stored.members?.length !== 1 || stored.members[0].host !== host) {
      const config = { ...stored, version: stored.version + 1, members: [{ ...stored.members[0], host }] };
      await admin.command({ replSetReconfig: config, force: true });
    }
  } catch (error) {
    // While mongod still reads its stored configuration it refuses both; the next look decides again.
    if (!(error instanceof MongoServerError)) throw error;
  }
}
