import { createHash } from "node:crypto";
import { BSON, type Document } from "mongodb";

// A backup is a sequence of BSON documents, compressed with gzip: a header; then portions, each a document with the name
// of a collection and a number, followed by so many documents of it as they are stored; then an end with the digest of
// all bytes before it.

const format = "project-feedback-backup";
const formatVersion = 1;

/** The first document of a backup. */
export interface BackupHeader {
  readonly takenAt: Date;
  /** Version of the server that wrote it. */
  readonly server: string;
}

/** What a backup contains: for each collection the number of its documents. */
export type BackupContents = Readonly<Record<string, number>>;

/** Documents of one collection, each as BSON. */
export interface BackupPortion {
  readonly collection: string;
  readonly documents: readonly Uint8Array[];
}

/** A file that is no backup, or not a whole one. */
export class BackupFormatError extends Error {
  override readonly name = "BackupFormatError";
}

/** Makes the bytes of a backup. */
export class BackupWriter {
  readonly #hash = createHash("sha256");
  readonly #contents: Record<string, number> = {};

  header({ takenAt, server }: BackupHeader): Uint8Array {
    return this.#add([BSON.serialize({ format, version: formatVersion, takenAt, server })]);
  }

  portion({ collection, documents }: BackupPortion): Uint8Array {
    this.#contents[collection] = (this.#contents[collection] ?? 0) + documents.length;
    return this.#add([BSON.serialize({ collection, documents: documents.length }), ...documents]);
  }

  end(): Uint8Array {
    return BSON.serialize({ end: true, contents: this.#contents, sha256: this.#hash.digest("hex") });
  }

  get contents(): BackupContents {
    return this.#contents;
  }

  #add(parts: readonly Uint8Array[]): Uint8Array {
    const bytes = Buffer.concat(parts);
    this.#hash.update(bytes);
    return bytes;
  }
}

/**
 * Reads the bytes of a backup.
 * @returns the header; then its portions, and in the end its contents
 * @throws BackupFormatError where it is not a backup, not whole, or changed
 */
export async function* readBackup(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly header: BackupHeader } | BackupPortion, BackupContents> {
  const hash = createHash("sha256");
  const documents = documentsIn(bytes);
  const header = await next(documents);
  hash.update(header);
  yield { header: headerOf(header) };
  for (;;) {
    const bytes = await next(documents);
    const marker = parse(bytes);
    if (marker.end === true) {
      if (marker.sha256 !== hash.digest("hex")) throw new BackupFormatError("its checksum does not match its content");
      return marker.contents;
    }
    hash.update(bytes);
    const portion: Uint8Array[] = [];
    for (let left = Number(marker.documents); left > 0; left -= 1) {
      const document = await next(documents);
      hash.update(document);
      portion.push(document);
    }
    yield { collection: String(marker.collection), documents: portion };
  }
}

function headerOf(bytes: Uint8Array): BackupHeader {
  const { format: found, version, takenAt, server } = parse(bytes);
  if (found !== format) throw new BackupFormatError("it is not a backup of this service");
  if (version > formatVersion) throw new BackupFormatError(`it was written by version ${server} of the server`);
  return { takenAt, server };
}

function parse(bytes: Uint8Array): Document {
  try {
    return BSON.deserialize(bytes);
  } catch (error) {
    throw new BackupFormatError("it is not a backup of this service", { cause: error });
  }
}

async function next(documents: AsyncGenerator<Uint8Array, void>): Promise<Uint8Array> {
  const { done, value } = await documents.next();
  if (done) throw new BackupFormatError("it ends too early");
  return value;
}

/** Each BSON document begins with its length, in four bytes. */
async function* documentsIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= 4) {
      const length = rest.readInt32LE(at);
      if (length < 5 || length > maxDocumentBytes) throw new BackupFormatError("it is not a backup of this service");
      if (rest.length - at < length) break;
      yield rest.subarray(at, at + length);
      at += length;
    }
    rest = rest.subarray(at);
  }
}

/** MongoDB's own limit is 16 MiB. */
const maxDocumentBytes = 17 * 2 ** 20;
