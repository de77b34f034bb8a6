import {
  type ClientSession,
  type Document,
  MongoNetworkTimeoutError,
  MongoServerSelectionError,
  type Sort,
} from "mongodb";
import type { Database } from "./database.ts";
import { isOutage } from "./outage.ts";

/** A query whose result fits into one batch. */
export interface Find {
  readonly filter: Document;
  readonly projection?: Document;
  readonly sort?: Sort;
  readonly skip?: number;
  readonly limit?: number;
  readonly hint?: Document;
}

/** More documents than any query finds. */
const batchSize = 100_000;

/**
 * Reads all documents that a query finds, with the bare command: the driver's cursor takes 1.5 times the processor time.
 * Like the driver's own reads, it is retried once after the primary has changed; but not after a timeout, which has used
 * up the time of the request.
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
    // A batch ends at 16 MiB. No query exceeds that; if one did, documents would be missing.
    if (Number(cursor.id) !== 0) throw new Error(`The result of a query of ${collection} exceeds one batch.`);
    return cursor.firstBatch as Found[];
  };
  return send().catch((error) => {
    const waited = error instanceof MongoNetworkTimeoutError || error instanceof MongoServerSelectionError;
    if (session || waited || !isOutage(error)) throw error;
    return send();
  });
}
