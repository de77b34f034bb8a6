import { LRUCache } from "lru-cache";
import type { Principal } from "../domain/account.ts";
import { digestOf, isKey } from "../domain/key.ts";
import type { AccountRecords } from "./account-records.ts";
import { gather } from "./gather.ts";

/** How long a key's owner is believed to be the same, in milliseconds; a revoked key stops within 5 s (C-KEY-2). */
const believedMs = 3_000;
const mostKeys = 10_000;

/**
 * Finds the account behind a key: told by its form, its digest cached, else looked up, once for all who ask at once.
 * Those in use are looked up again together before their time is over.
 */
export class Principals {
  readonly #accounts: AccountRecords;
  readonly #cache: LRUCache<string, { readonly principal: Principal | null }>;
  #uses = new Map<string, Date>();
  #digestsInUse = new Set<string>();

  constructor(accounts: AccountRecords) {
    this.#accounts = accounts;
    const principal = gather((digests) => accounts.principals(digests), mostKeys);
    this.#cache = new LRUCache({
      max: mostKeys,
      ttl: believedMs,
      fetchMethod: async (digest, _stale, { options }) => {
        // Belief counts from before the look-up, which may take its time.
        Object.assign(options, { start: performance.now() });
        return { principal: (await principal(digest)) ?? null };
      },
      // A look-up that `refresh` overtakes still answers those who wait for it; it is not kept.
      ignoreFetchAbort: true,
    });
  }

  async of(key: string): Promise<Principal | null> {
    if (!isKey(key)) return null;
    const digest = digestOf(key);
    const known = this.#cache.get(digest) ?? (await this.#cache.fetch(digest));
    const principal = known?.principal ?? null;
    if (principal) {
      this.#uses.set(principal.keyId, new Date());
      this.#digestsInUse.add(digest);
    }
    return principal;
  }

  /** Looks up again all keys that were used since this was done last; to be called more often than belief lasts. */
  async refresh(): Promise<void> {
    const digests = [...this.#digestsInUse];
    this.#digestsInUse = new Set();
    if (digests.length === 0) return;
    const start = performance.now();
    const principals = await this.#accounts.principals(digests);
    for (const digest of digests) this.#cache.set(digest, { principal: principals.get(digest) ?? null }, { start });
  }

  /** Writes when keys were last used. */
  async flush(): Promise<void> {
    const uses = this.#uses;
    this.#uses = new Map();
    await this.#accounts.noteUse(uses);
  }
}
