import { LRUCache } from "lru-cache";
import type { Principal } from "../domain/account.ts";
import { isKey } from "../domain/key.ts";
import { digestOf } from "../domain/secret.ts";
import { batchLoader } from "./batch-loader.ts";
import type { KeyRepository, KeyUse, LiveKey } from "./key-repository.ts";

/** Key cache TTL, in milliseconds: a revoked key stops within 5 s (C-KEY-2). */
const ttlMs = 3_000;
const maxKeys = 10_000;

/**
 * Finds the account behind a key. A malformed key is rejected without a look-up, a cached digest is answered at once, and
 * look-ups that are needed at the same time share one command. Keys in use are refreshed together before they expire.
 */
export class KeyCache {
  readonly #keys: KeyRepository;
  readonly #cache: LRUCache<string, { readonly key: LiveKey | null }>;
  #lastUses = new Map<string, KeyUse>();
  #digestsInUse = new Set<string>();

  constructor(keys: KeyRepository) {
    this.#keys = keys;
    const load = batchLoader((digests) => keys.findLive(digests), maxKeys);
    this.#cache = new LRUCache({
      max: maxKeys,
      ttl: ttlMs,
      fetchMethod: async (digest, _stale, { options }) => {
        // The TTL starts before the look-up, which may take long.
        Object.assign(options, { start: performance.now() });
        return { key: (await load(digest)) ?? null };
      },
      // A look-up that `refresh` overtakes still answers those who wait for it; it is not cached.
      ignoreFetchAbort: true,
    });
  }

  /**
   * The account behind a key; null where the key is not valid. Without a promise when it is cached.
   * @param address the client's address, for the key's last use
   */
  find(key: string, address?: string): Principal | null | Promise<Principal | null> {
    if (!isKey(key)) return null;
    const digest = digestOf(key);
    const cached = this.#cache.get(digest);
    if (cached) return this.#use(digest, cached.key, address);
    return this.#cache.fetch(digest).then((found) => this.#use(digest, found?.key ?? null, address));
  }

  #use(digest: string, key: LiveKey | null, address: string | undefined): Principal | null {
    const now = Date.now();
    if (!key || key.expiresAt <= now) return null;
    const { principal } = key;
    const use = this.#lastUses.get(principal.keyId);
    if (use) {
      use.at = now;
      use.address = address;
    } else this.#lastUses.set(principal.keyId, { at: now, address });
    this.#digestsInUse.add(digest);
    return principal;
  }

  /** Looks up again all keys that were used since the last refresh. It must be called more often than the TTL. */
  async refresh(): Promise<void> {
    const digests = [...this.#digestsInUse];
    this.#digestsInUse = new Set();
    if (digests.length === 0) return;
    const start = performance.now();
    const keys = await this.#keys.findLive(digests);
    for (const digest of digests) this.#cache.set(digest, { key: keys.get(digest) ?? null }, { start });
  }

  /** Writes when and from where keys were last used. */
  async flush(): Promise<void> {
    const lastUses = this.#lastUses;
    this.#lastUses = new Map();
    await this.#keys.recordUses(lastUses);
  }
}
