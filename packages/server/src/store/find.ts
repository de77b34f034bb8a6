import type { ClientSession, Document, Sort } from "mongodb";
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

/** More than any answer has: what is asked for is bounded. */
const batchSize = 100_000;

/**
 * Reads all that a query finds, with the bare command: a cursor of the driver does the same for half as much again of
 * the processor's time. Retried once where the database went away meanwhile, as the driver does with its own reads.
 * @returns documents as the database has them
 */
export async function find<Found extends Document>(
  { client, db }: Database,
  collection: string,
  query: Find,
  session?: ClientSession,
): Promise<Found[]> {
  const command = { find: collection, ...query, batchSize, singleBatch: true };
  const options = session ? { session } : { readPreference: client.readPreference };
  const send = async () => (await db.command(command, options)).cursor.firstBatch as Found[];
  return send().catch((error) => {
    if (session || !isOutage(error)) throw error;
    return send();
  });
}
