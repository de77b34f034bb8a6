import type { Account, Plan, Principal } from "../domain/account.ts";
import type { KeyRecord } from "../domain/key.ts";
import type { Database, KeyDocument, Stored } from "./database.ts";
import { find } from "./find.ts";

function toKey({ _id, digest: _digest, ...fields }: KeyDocument): KeyRecord {
  return { id: _id, ...fields };
}

/** Accounts and their keys in the database (C-KEY-1, C-KEY-2). */
export class AccountRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Digest → who it belongs to; without those that are unknown or revoked, or whose account is disabled. */
  async principals(digests: readonly string[]): Promise<ReadonlyMap<string, Principal>> {
    const filter = { digest: { $in: digests }, revokedAt: null };
    const keys = await find<KeyDocument>(this.#database, "keys", { filter });
    const enabled = { _id: { $in: keys.map(({ accountId }) => accountId) }, disabled: false };
    const found = await find<Stored<Account>>(this.#database, "accounts", { filter: enabled });
    const accounts = new Map(found.map((account) => [account._id, account]));
    return new Map(
      keys.flatMap(({ _id, digest, accountId }): [string, Principal][] => {
        const account = accounts.get(accountId);
        return account ? [[digest, { accountId, keyId: _id, role: account.role, plan: account.plan }]] : [];
      }),
    );
  }

  async insert({ id, ...fields }: Account): Promise<void> {
    await this.#database.accounts.insertOne({ _id: id, ...fields });
  }

  async list(): Promise<Account[]> {
    const documents = await this.#database.accounts.find().sort({ createdAt: 1 }).toArray();
    return documents.map(({ _id, ...fields }) => ({ id: _id, ...fields }));
  }

  /** Whether there is any account yet. */
  async any(): Promise<boolean> {
    return (await this.#database.accounts.findOne({}, { projection: { _id: 1 } })) !== null;
  }

  /** Changes plan or disablement; null where there is no such account. */
  async change(id: string, fields: { plan: Plan } | { disabled: boolean }): Promise<Account | null> {
    const document = await this.#database.accounts.findOneAndUpdate(
      { _id: id },
      { $set: fields },
      { returnDocument: "after" },
    );
    if (!document) return null;
    const { _id, ...rest } = document;
    return { id: _id, ...rest };
  }

  async find(id: string): Promise<Account | null> {
    const document = await this.#database.accounts.findOne({ _id: id });
    if (!document) return null;
    const { _id, ...fields } = document;
    return { id: _id, ...fields };
  }

  async insertKey({ id, ...fields }: KeyRecord, digest: string): Promise<void> {
    await this.#database.keys.insertOne({ _id: id, ...fields, digest });
  }

  async findKey(id: string): Promise<KeyRecord | null> {
    const document = await this.#database.keys.findOne({ _id: id });
    return document && toKey(document);
  }

  /** Keys of an account, or of all; oldest first. */
  async listKeys(accountId?: string): Promise<KeyRecord[]> {
    const query = accountId === undefined ? {} : { accountId };
    return (await this.#database.keys.find(query).sort({ createdAt: 1, _id: 1 }).toArray()).map(toKey);
  }

  /** Revokes a key, once; null where there is no such key. */
  async revokeKey(id: string, now: Date): Promise<KeyRecord | null> {
    await this.#database.keys.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: now } });
    return this.findKey(id);
  }

  /** Notes when keys were last used; never backwards. */
  async noteUse(uses: ReadonlyMap<string, Date>): Promise<void> {
    if (uses.size === 0) return;
    await this.#database.keys.bulkWrite(
      [...uses].map(([id, at]) => ({ updateOne: { filter: { _id: id }, update: { $max: { lastUsedAt: at } } } })),
      { ordered: false },
    );
  }
}
