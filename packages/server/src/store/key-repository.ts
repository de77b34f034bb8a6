import type { Account, Principal } from "../domain/account.ts";
import type { KeyRecord } from "../domain/key.ts";
import type { Database, KeyDocument, Stored } from "./database.ts";
import { find } from "./find.ts";

function toKey({ _id, digest: _digest, ...fields }: KeyDocument): KeyRecord {
  return { id: _id, ...fields };
}

/** API keys in the database (C-KEY-1, C-KEY-2). */
export class KeyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The principals of digests. Unknown and revoked keys and those of disabled accounts are left out. */
  async findPrincipals(digests: readonly string[]): Promise<ReadonlyMap<string, Principal>> {
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

  async insert({ id, ...fields }: KeyRecord, digest: string): Promise<void> {
    await this.#database.keys.insertOne({ _id: id, ...fields, digest });
  }

  async find(id: string): Promise<KeyRecord | null> {
    const document = await this.#database.keys.findOne({ _id: id });
    return document && toKey(document);
  }

  /** Keys of one account, or of all; oldest first. */
  async list(accountId?: string): Promise<KeyRecord[]> {
    const query = accountId === undefined ? {} : { accountId };
    return (await this.#database.keys.find(query).sort({ createdAt: 1, _id: 1 }).toArray()).map(toKey);
  }

  /** Revokes a key; a second time changes nothing. Null where there is no such key. */
  async revoke(id: string, now: Date): Promise<KeyRecord | null> {
    await this.#database.keys.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: now } });
    return this.find(id);
  }

  /** Records when keys were last used, in Unix milliseconds; a time never moves back. */
  async recordUses(lastUses: ReadonlyMap<string, number>): Promise<void> {
    if (lastUses.size === 0) return;
    await this.#database.keys.bulkWrite(
      [...lastUses].map(([id, at]) => ({
        updateOne: { filter: { _id: id }, update: { $max: { lastUsedAt: new Date(at) } } },
      })),
      { ordered: false },
    );
  }
}
