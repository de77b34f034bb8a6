import { setTimeout as sleep } from "node:timers/promises";
import { BSON, type ClientSession, MongoServerError } from "mongodb";
import { type BackupContents, BackupFormatError, BackupWriter, readBackup } from "./backup-format.ts";
import type { Database } from "./database.ts";

/** Documents that are read or written at once. */
const portion = 1_000;
/** How often a backup begins anew while MongoDB is changing its catalog of collections, as it does after a first start. */
const attempts = 10;
const attemptAfterMs = 1_000;

/** A restore that was refused, or a backup that could not be finished: what is wrong, then what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/**
 * Writes all records as they were at one point in time, while the service runs. Every write that was acknowledged before
 * the call is in it.
 * @param write takes the next bytes, and resolves when it can take more
 * @param server version of the server
 * @returns the numbers of records
 * @throws BackupError when it took longer than MongoDB keeps the snapshot
 */
export async function backUp(
  database: Database,
  server: string,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<BackupContents> {
  const names = await collectionsOf(database);
  await whenCatalogIsSettled(database, names);
  const session = database.client.startSession({ snapshot: true });
  const writer = new BackupWriter();
  try {
    await write(writer.header({ takenAt: new Date(), server }));
    for (const name of names)
      await writeCollection(database, session, name, async (documents) => {
        await write(writer.portion({ collection: name, documents }));
      });
    await write(writer.end());
    return writer.contents;
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.codeName !== "SnapshotTooOld") throw error;
    const remedy = "Raise its parameter minSnapshotHistoryWindowInSeconds, which is 300 by default, and try again.";
    throw new BackupError(`MongoDB no longer has the state of the beginning of the backup. ${remedy}`, {
      cause: error,
    });
  } finally {
    await session.endSession();
  }
}

/** A snapshot cannot be read where a collection or an index is newer than it. */
async function whenCatalogIsSettled(database: Database, names: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const session = database.client.startSession({ snapshot: true });
    try {
      for (const name of names) await database.db.collection(name).findOne({}, { session, projection: { _id: 1 } });
      return;
    } catch (error) {
      const isUnsettled = error instanceof MongoServerError && error.codeName === "SnapshotUnavailable";
      if (!isUnsettled || attempt === attempts) throw error;
      await sleep(attemptAfterMs);
    } finally {
      await session.endSession();
    }
  }
}

async function writeCollection(
  { db }: Database,
  session: ClientSession,
  name: string,
  write: (documents: readonly Uint8Array[]) => Promise<void>,
): Promise<void> {
  const cursor = db.collection(name).find({}, { session, raw: true, batchSize: portion, sort: { _id: 1 } });
  let documents: Uint8Array[] = [];
  for await (const document of cursor) {
    documents.push(document as unknown as Uint8Array);
    if (documents.length < portion) continue;
    await write(documents);
    documents = [];
  }
  if (documents.length > 0) await write(documents);
}

/**
 * Writes the records of a backup into a database that has none.
 * @param open reads the backup from its beginning; it is read twice, so that nothing of a damaged one is written
 * @returns the numbers of records
 * @throws BackupError where the database has records, or the backup is damaged
 */
export async function restore(database: Database, open: () => AsyncIterable<Uint8Array>): Promise<BackupContents> {
  await requireEmpty(database);
  const contents = await eachPortion(open(), async () => undefined);
  await eachPortion(open(), async (collection, documents) => {
    // Numbers keep their types, which JavaScript's number would not.
    const records = documents.map((each) => BSON.deserialize(each, { promoteValues: false, promoteBuffers: false }));
    await database.db.collection(collection).insertMany(records, { ordered: false });
  });
  return contents;
}

async function eachPortion(
  bytes: AsyncIterable<Uint8Array>,
  handle: (collection: string, documents: readonly Uint8Array[]) => Promise<void>,
): Promise<BackupContents> {
  try {
    const parts = readBackup(bytes);
    for (;;) {
      const { done, value } = await parts.next();
      if (done) return value;
      if ("collection" in value) await handle(value.collection, value.documents);
    }
  } catch (error) {
    // zlib's codes are such as Z_DATA_ERROR.
    const isCompressedWrong = /^Z_/.test(String((error as NodeJS.ErrnoException).code));
    if (!isCompressedWrong && !(error instanceof BackupFormatError)) throw error;
    const { message } = error as Error;
    const reason = isCompressedWrong ? `it is no backup, or not a whole one (${message})` : message;
    throw new BackupError(`The backup cannot be used: ${reason}. Use another.`, { cause: error });
  }
}

async function requireEmpty(database: Database): Promise<void> {
  for (const name of await collectionsOf(database)) {
    if ((await database.db.collection(name).findOne({}, { projection: { _id: 1 } })) === null) continue;
    throw new BackupError(
      `The database ${database.db.databaseName} has records in ${name}, and a backup is restored only into an empty one. Name another database, or drop this one.`,
    );
  }
}

async function collectionsOf({ db }: Database): Promise<string[]> {
  const found = await db.listCollections({ type: "collection" }, { nameOnly: true }).toArray();
  return found
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("system."))
    .sort();
}
