import { setTimeout as delay } from "node:timers/promises";
import { MongoClient, MongoServerError } from "mongodb";

export const replicaSetName = "embedded";

export interface ReplicaSetOptions {
  socketPath: string;
  /** False acknowledges majority writes before they are on disk: for data that nobody keeps. */
  durable: boolean;
}

/**
 * The connection string. With directConnection, the driver uses this address and not the one in the replica set's
 * configuration. Transactions and retryable writes work as on any replica set.
 */
export function uriOf(socketPath: string): string {
  return `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true`;
}

/**
 * Makes the only member the primary. New data gets a configuration. Data that was last served at another address gets
 * its configuration corrected: a mongod that does not find its own address in it stays idle.
 * @param signal stops the attempts
 * @throws the driver's errors
 */
export async function makePrimary(options: ReplicaSetOptions, signal: AbortSignal): Promise<void> {
  const client = new MongoClient(uriOf(options.socketPath), { serverSelectionTimeoutMS: 5000, connectTimeoutMS: 5000 });
  try {
    for (;;) {
      const hello = await client.db("admin").command({ hello: 1 }, { signal });
      if (hello.isWritablePrimary === true) return;
      await configure(client, options, signal);
      await delay(20);
    }
  } finally {
    await client.close();
  }
}

async function configure(
  client: MongoClient,
  { socketPath: host, durable }: ReplicaSetOptions,
  signal: AbortSignal,
): Promise<void> {
  const admin = client.db("admin");
  const stored = await client.db("local").collection("system.replset").findOne({}, { signal });
  try {
    if (stored === null) {
      const members = [{ _id: 0, host }];
      await admin.command(
        { replSetInitiate: { _id: replicaSetName, members, writeConcernMajorityJournalDefault: durable } },
        { signal },
      );
    } else if (stored.members?.length !== 1 || stored.members[0].host !== host) {
      const config = { ...stored, version: stored.version + 1, members: [{ ...stored.members[0], host }] };
      await admin.command({ replSetReconfig: config, force: true }, { signal });
    }
  } catch (error) {
    // mongod refuses both while it still reads its stored configuration. The next attempt decides again.
    if (!(error instanceof MongoServerError)) throw error;
  }
}
