// Fastify for one process: keys are cached and allowances are counted in its memory.

import type { Principal } from "@project-feedback/server/domain/account";
import { LRUCache } from "lru-cache";
import { findPrincipal } from "./accounts.ts";
import { serveFastify } from "./fastify-app.ts";
import { openDependencies } from "./program.ts";

/** As long as our server caches keys, and as many as it caches at most. */
const cache = { ttl: 3_000, max: 10_000 };

const dependencies = await openDependencies();
const principals = new LRUCache<string, Principal>(cache);

await serveFastify({
  dependencies,
  findPrincipal: async (key) => {
    const cached = principals.get(key);
    if (cached) return cached;
    const found = await findPrincipal(dependencies.database, key);
    if (found) principals.set(key, found);
    return found;
  },
});
