import type { ClientSession } from "mongodb";
import type { Principal } from "../domain/account.ts";
import { isLive, type KeyRecord, maxLiveKeys, notLive, tooManyKeys } from "../domain/key.ts";
import { networkOf } from "../domain/network.ts";
import type { AccountDocument, Database, KeyDocument } from "./database.ts";
import { find } from "./find.ts";
import { KeyedMutex } from "./keyed-mutex.ts";

/** A key that can be used, as the key cache has it. */
export interface LiveKey {
  readonly principal: Principal;
  /** When it expires, in Unix milliseconds; infinite for a key that does not. */
  readonly expiresAt: number;
}

/** When and from which address a key was last used. */
export interface KeyUse {
  /** Unix milliseconds. */
  at: number;
  /** The client's address; undefined where it is not known. */
  address: string | undefined;
}

function toKey({ _id, digest: _digest, ...fields }: KeyDocument): KeyRecord {
  return { id: _id, ending: null, expiresAt: null, lastUsedFrom: null, replacedBy: null, ...fields };
}

/** API keys in the database (C-KEY-1, C-KEY-2, C-KEY-3). */
export class KeyRepository {
  readonly #database: Database;
  readonly #creations = new KeyedMutex();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The keys behind digests. Unknown, revoked and expired ones and those of disabled accounts are left out. */
  async findLive(digests: readonly string[]): Promise<ReadonlyMap<string, LiveKey>> {
    const filter = { digest: { $in: digests }, revokedAt: null };
    const keys = await find<KeyDocument>(this.#database, "keys", { filter });
    const enabled = { _id: { $in: keys.map(({ accountId }) => accountId) }, disabled: false };
    const found = await find<AccountDocument>(this.#database, "accounts", { filter: enabled });
    const accounts = new Map(found.map((account) => [account._id, account]));
    const now = Date.now();
    return new Map(
      keys.flatMap(({ _id, digest, accountId, expiresAt }): [string, LiveKey][] => {
        const account = accounts.get(accountId);
        const end = expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
        if (!account?.role || end <= now) return [];
        const principal = { accountId, keyId: _id, role: account.role, plan: account.plan };
        return [[digest, { principal, expiresAt: end }]];
      }),
    );
  }

  /**
   * Stores a new key.
   * @throws DomainError `key_limit` where the account has as many live keys as it may (C-KEY-3)
   */
  async insert(record: KeyRecord, digest: string): Promise<void> {
    await this.#transaction(record.accountId, (session) => this.#insert(record, digest, session));
  }

  /**
   * Stores a new key in place of an old one, which lives until a time; both or nothing.
   * @throws DomainError `key_limit` where the account would have more live keys than it may, `key_not_live` where the
   *   old key was revoked or replaced meanwhile
   */
  async replace(old: KeyRecord, record: KeyRecord, digest: string, end: Date): Promise<void> {
    const changes = end > record.createdAt ? { expiresAt: end } : { revokedAt: end };
    const unchanged = { _id: old.id, revokedAt: null, replacedBy: null };
    await this.#transaction(record.accountId, async (session) => {
      const update = { $set: { ...changes, replacedBy: record.id } };
      const { matchedCount } = await this.#database.keys.updateOne(unchanged, update, { session });
      if (matchedCount === 0) throw notLive("was revoked or replaced meanwhile");
      await this.#insert(record, digest, session);
    });
  }

  async #insert({ id, ...fields }: KeyRecord, digest: string, session: ClientSession): Promise<void> {
    const { accountId, createdAt: now } = fields;
    // Creations at the same time conflict here: one of them runs again, and counts the other one's key.
    await this.#database.accounts.updateOne({ _id: accountId }, { $inc: { keysChanged: 1 } }, { session });
    await this.#database.keys.insertOne({ _id: id, ...fields, digest }, { session });
    const unrevoked = await this.#database.keys.find({ accountId, revokedAt: null }, { session }).toArray();
    if (unrevoked.filter((key) => isLive(toKey(key), now)).length > maxLiveKeys) throw tooManyKeys();
  }

  /** Runs work in a transaction. That of one account takes turns in this process: only other processes conflict. */
  #transaction(accountId: string, work: (session: ClientSession) => Promise<void>): Promise<void> {
    const options = {
      readConcern: { level: "snapshot" },
      writeConcern: { w: "majority" },
      readPreference: "primary",
    } as const;
    return this.#creations.runExclusive(accountId, accountId, () =>
      this.#database.client.withSession((session) => session.withTransaction(() => work(session), options)),
    );
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

  /** Keys of an account that are live, or ended after a time; newest first. */
  async listRecent(accountId: string, endedAfter: Date, limit: number): Promise<KeyRecord[]> {
    const query = {
      accountId,
      $and: [
        { $or: [{ revokedAt: null }, { revokedAt: { $gt: endedAfter } }] },
        { $or: [{ expiresAt: null }, { expiresAt: { $gt: endedAfter } }] },
      ],
    };
    return (await this.#database.keys.find(query).sort({ createdAt: -1, _id: -1 }).limit(limit).toArray()).map(toKey);
  }

  /** Renames a key; null where there is no such key. */
  async rename(id: string, name: string): Promise<KeyRecord | null> {
    await this.#database.keys.updateOne({ _id: id }, { $set: { name } });
    return this.find(id);
  }

  /** Revokes a key; a second time changes nothing. Null where there is no such key. */
  async revoke(id: string, now: Date): Promise<KeyRecord | null> {
    await this.#database.keys.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: now } });
    return this.find(id);
  }

  /** Records when and from where keys were last used; a time never moves back. */
  async recordUses(lastUses: ReadonlyMap<string, KeyUse>): Promise<void> {
    if (lastUses.size === 0) return;
    await this.#database.keys.bulkWrite(
      [...lastUses].map(([id, { at, address }]) => ({
        updateOne: {
          filter: { _id: id },
          update: {
            $max: { lastUsedAt: new Date(at) },
            ...(address !== undefined && { $set: { lastUsedFrom: networkOf(address) } }),
          },
        },
      })),
      { ordered: false },
    );
  }
}
