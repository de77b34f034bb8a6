import { type ClientSession, type Document, MongoServerError } from "mongodb";
import type { Database } from "./database.ts";

/** An update of one document, in the form of the `update` command. */
export interface Update {
  readonly q: { readonly _id: string };
  readonly u: Document;
  readonly upsert?: true;
}

/**
 * Sends small updates of a transaction with the bare command: the driver's bulkWrite takes twice the processor time. All
 * of them must fit into one message of 16 MiB.
 * @returns ids of the documents that were inserted
 */
export async function update(
  { db }: Database,
  collection: string,
  updates: readonly Update[],
  session: ClientSession,
): Promise<ReadonlySet<string>> {
  const { writeErrors, upserted = [] } = await db.command({ update: collection, updates }, { session });
  // The command succeeds although an update in it has failed.
  if (writeErrors?.length > 0) throw new MongoServerError(writeErrors[0]);
  return new Set(upserted.map(({ _id }: { _id: string }) => _id));
}
