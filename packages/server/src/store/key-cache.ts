import { LRUCache } from "lru-cache";
import type { Principal } from "../domain/account.ts";
import { digestOf, isKey } from "../domain/key.ts";
import { batchLoader } from "./batch-loader.ts";
import type { KeyRepository } from "./key-repository.ts";

/** Key cache TTL, in milliseconds: a revoked key stops within 5 s (C-KEY-2). */
const ttlMs = 3_000;
const maxKeys = 10_000;

/**
 * Finds the account behind a key. A malformed key is rejected without a look-up, a cached digest is answered at once, and
 * look-ups that are needed at the same time share one command. Keys in use are refreshed together before they expire.
 */
export class KeyCache {
  readonly #keys: KeyRepository;
  readonly #cache: LRUCache<string, { readonly principal: Principal | null }>;
  #lastUses = new Map<string, number>();
  #digestsInUse = new Set<string>();

  constructor(keys: KeyRepository) {
    this.#keys = keys;
    const load = batchLoader((digests) => keys.findPrincipals(digests), maxKeys);
    this.#cache = new LRUCache({
      max: maxKeys,
      ttl: ttlMs,
      fetchMethod: async (digest, _stale, { options }) => {
        // The TTL starts before the look-up, which may take long.
        Object.assign(options, { start: performance.now() });
        return { principal: (await load(digest)) ?? null };
      },
      // A look-up that `refresh` overtakes still answers those who wait for it; it is not cached.
      ignoreFetchAbort: true,
    });
  }

  /** The account behind a key; null where the key is not valid. Without a promise when it is cached. */
  find(key: string): Principal | null | Promise<Principal | null> {
    if (!isKey(key)) return null;
    const digest = digestOf(key);
    const cached = this.#cache.get(digest);
    if (cached) return this.#use(digest, cached.principal);
    return this.#cache.fetch(digest).then((found) => this.#use(digest, found?.principal ?? null));
  }

  #use(digest: string, principal: Principal | null): Principal | null {
    if (principal) {
      this.#lastUses.set(principal.keyId, Date.now());
      this.#digestsInUse.add(digest);
    }
    return principal;
  }

  /** Looks up again all keys that were used since the last refresh. It must be called more often than the TTL. */
  async refresh(): Promise<void> {
    const digests = [...this.#digestsInUse];
    this.#digestsInUse = new Set();
    if (digests.length === 0) return;
    const start = performance.now();
    const principals = await this.#keys.findPrincipals(digests);
    for (const digest of digests) this.#cache.set(digest, { principal: principals.get(digest) ?? null }, { start });
  }

  /** Writes when keys were last used. */
  async flush(): Promise<void> {
    const lastUses = this.#lastUses;
    this.#lastUses = new Map();
    await this.#keys.recordUses(lastUses);
  }
}
