import type { ThrottlerStorage } from "@nestjs/throttler";
import { hit } from "../counter.ts";
import type { PeerDatabase } from "../database.ts";

/** The throttler's counts in MongoDB, shared by all processes. */
export class SharedStorage implements ThrottlerStorage {
  constructor(private readonly database: PeerDatabase) {}

  async increment(key: string, _ttl: number, limit: number): ReturnType<ThrottlerStorage["increment"]> {
    const { hits, endsAt } = await hit(this.database, key);
    const seconds = Math.ceil((endsAt.getTime() - Date.now()) / 1_000);
    return { totalHits: hits, timeToExpire: seconds, isBlocked: hits > limit, timeToBlockExpire: seconds };
  }
}
