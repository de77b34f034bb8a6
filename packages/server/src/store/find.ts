import {
  type ClientSession,
  type Document,
  MongoNetworkTimeoutError,
  MongoServerSelectionError,
  type Sort,
} from "mongodb";
import type { Database } from "./database.ts";
import { isOutage } from "./outage.ts";

/** A query whose answer is one batch. */
export interface Find {
  readonly filter: Document;
  readonly projection?: Document;
  readonly sort?: Sort;
  readonly skip?: number;
  readonly limit?: number;
  readonly hint?: Document;
}

/** More than any answer has. */
const batchSize = 100_000;

/**
 * Reads all that a query finds, with the bare command: a cursor of the driver does the same for half as much again of
 * the processor's time. Retried once where the database changed its primary meanwhile, as the driver does with its own
 * reads; not after a silence or a search for a server, which have cost all the time there was.
 * @returns documents as the database has them
 */
export async function find<Found extends Document>(
  { client, db }: Database,
  collection: string,
  query: Find,
  session?: ClientSession,
): Promise<Found[]> {
  const command = { find: collection, ...query, batchSize };
  const options = session ? { session } : { readPreference: client.readPreference };
  const send = async () => {
    const { cursor } = await db.command(command, options);
    // A batch ends at 16 MiB, which nothing that is asked for exceeds; were it not so, records would seem to be missing.
    if (Number(cursor.id) !== 0) throw new Error(`one batch of ${collection} does not hold what was asked for`);
    return cursor.firstBatch as Found[];
  };
  return send().catch((error) => {
    const waited = error instanceof MongoNetworkTimeoutError || error instanceof MongoServerSelectionError;
    if (session || waited || !isOutage(error)) throw error;
    return send();
  });
}
