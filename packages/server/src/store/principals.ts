import { LRUCache } from "lru-cache";
import type { Principal } from "../domain/account.ts";
import { digestOf, isKey } from "../domain/key.ts";
import type { AccountRecords } from "./account-records.ts";
import { gather } from "./gather.ts";

/** How long a key's owner is believed to be the same, in milliseconds; a revoked key stops within 5 s (C-KEY-2). */
const believedMs = 3_000;
const mostKeys = 10_000;

/** Finds the account behind a key: told by its form, its digest cached, else looked up, once for all who ask at once. */
export class Principals {
  readonly #accounts: AccountRecords;
  readonly #cache: LRUCache<string, { readonly principal: Principal | null }>;
  #uses = new Map<string, Date>();

  constructor(accounts: AccountRecords) {
    this.#accounts = accounts;
    const principal = gather((digests) => accounts.principals(digests));
    this.#cache = new LRUCache({
      max: mostKeys,
      ttl: believedMs,
      fetchMethod: async (digest) => ({ principal: (await principal(digest)) ?? null }),
    });
  }

  async of(key: string): Promise<Principal | null> {
    if (!isKey(key)) return null;
    const digest = digestOf(key);
    const known = this.#cache.get(digest) ?? (await this.#cache.fetch(digest));
    const principal = known?.principal ?? null;
    if (principal) this.#uses.set(principal.keyId, new Date());
    return principal;
  }

  /** Writes when keys were last used. */
  async flush(): Promise<void> {
    const uses = this.#uses;
    this.#uses = new Map();
    await this.#accounts.noteUse(uses);
  }
}
