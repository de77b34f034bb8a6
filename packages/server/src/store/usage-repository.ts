import { hourMs, type UsageCounts } from "../domain/usage.ts";
import type { Database } from "./database.ts";

const dayMs = 24 * hourMs;

/** The counted requests of accounts (C-ACC-4). */
export class UsageRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Requests of an account since a time, of all processes, by the hour since 1970. */
  async since(accountId: string, time: Date): Promise<ReadonlyMap<number, UsageCounts>> {
    const day = { $gte: new Date(Math.floor(time.getTime() / dayMs) * dayMs) };
    const totals = new Map<number, UsageCounts>();
    for await (const { day: begin, hours } of this.#database.usage.find({ accountId, day })) {
      for (const [hourOfDay, [requests, rateLimited, errors]] of Object.entries(hours)) {
        const hour = begin.getTime() / hourMs + Number(hourOfDay);
        const sum = totals.get(hour) ?? { requests: 0, rateLimited: 0, errors: 0 };
        totals.set(hour, {
          requests: sum.requests + requests,
          rateLimited: sum.rateLimited + rateLimited,
          errors: sum.errors + errors,
        });
      }
    }
    return totals;
  }
}
