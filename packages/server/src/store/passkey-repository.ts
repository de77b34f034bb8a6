import { Binary, MongoServerError } from "mongodb";
import type { Passkey } from "../domain/passkey.ts";
import type { Database, PasskeyDocument } from "./database.ts";

const duplicateKey = 11_000;

function toPasskey({ _id, publicKey, ...fields }: PasskeyDocument): Passkey {
  return { id: _id, publicKey: new Uint8Array(publicKey.buffer), ...fields };
}

/** Passkeys in the database (C-ACC-2). */
export class PasskeyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores a passkey. @returns false where its credential is stored already */
  async insert({ id, publicKey, ...fields }: Passkey): Promise<boolean> {
    try {
      await this.#database.passkeys.insertOne({ _id: id, publicKey: new Binary(publicKey), ...fields });
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === duplicateKey) return false;
      throw error;
    }
  }

  /** Passkeys of an account, oldest first. */
  async list(accountId: string): Promise<Passkey[]> {
    const found = await this.#database.passkeys.find({ accountId }).sort({ createdAt: 1, _id: 1 }).toArray();
    return found.map(toPasskey);
  }

  async findByCredential(credentialId: string): Promise<Passkey | null> {
    const document = await this.#database.passkeys.findOne({ credentialId });
    return document && toPasskey(document);
  }

  /**
   * Records a sign-in.
   * @returns false where the passkey was removed, or signed in with this count or a later one meanwhile
   */
  async recordUse({ id, counter }: Passkey, newCounter: number, backedUp: boolean, now: Date): Promise<boolean> {
    const changes = { $set: { counter: newCounter, backedUp, lastUsedAt: now } };
    return (await this.#database.passkeys.updateOne({ _id: id, counter }, changes)).matchedCount > 0;
  }

  /** Removes a passkey of an account. @returns whether there was one */
  async remove(accountId: string, id: string): Promise<boolean> {
    return (await this.#database.passkeys.deleteOne({ _id: id, accountId })).deletedCount > 0;
  }
}
