import { realpathSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Document, MongoClient, MongoServerError } from "mongodb";

export const replicaSetName = "embedded";

export interface ReplicaSetOptions {
  port: number;
  dbPath: string;
  /** False acknowledges majority writes before they are on disk: for data that nobody keeps. */
  durable: boolean;
}

/**
 * The connection string. With directConnection, the driver uses this address and not the one in the replica set's
 * configuration. Transactions and retryable writes work as on any replica set.
 */
export function uriOf(port: number): string {
  return `mongodb://127.0.0.1:${port}/?directConnection=true`;
}

/**
 * Makes the only member the primary. New data gets a configuration. Data that was last served at another address gets
 * its configuration corrected: a mongod that does not find its own address in it stays idle.
 * @param signal stops the attempts
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
      await delay(20);
    }
  } finally {
    await client.close();
  }
}

/** Another mongod may have taken the port after it was chosen and before it was bound. That one must not be configured. */
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
        replSetInitiate: { _id: replicaSetName, members, writeConcernMajorityJournalDefault: durable },
      });
    } else if (stored.members?.length !== 1 || stored.members[0].host !== host) {
      const config = { ...stored, version: stored.version + 1, members: [{ ...stored.members[0], host }] };
      await admin.command({ replSetReconfig: config, force: true });
    }
  } catch (error) {
    // mongod refuses both while it still reads its stored configuration. The next attempt decides again.
    if (!(error instanceof MongoServerError)) throw error;
  }
}
