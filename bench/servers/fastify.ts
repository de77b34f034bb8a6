// Fastify for any number of processes: keys are looked up and allowances are counted in MongoDB.

import type { FastifyRateLimitStore } from "@fastify/rate-limit";
import { findPrincipal } from "./accounts.ts";
import { hit } from "./counter.ts";
import { serveFastify } from "./fastify-app.ts";
import { openDependencies } from "./program.ts";

const dependencies = await openDependencies();
const { database } = dependencies;

class SharedStore implements FastifyRateLimitStore {
  incr(key: string, callback: (error: Error | null, result?: { current: number; ttl: number }) => void): void {
    hit(database, key).then(
      ({ hits, endsAt }) => callback(null, { current: hits, ttl: endsAt.getTime() - Date.now() }),
      (error: Error) => callback(error),
    );
  }
  child(): SharedStore {
    return this;
  }
}

await serveFastify({ dependencies, findPrincipal: (key) => findPrincipal(database, key), store: SharedStore });
