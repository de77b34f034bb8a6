import { hourMs } from "../domain/usage.ts";
import type { Database } from "./database.ts";

const hoursOfDay = 24;

/** What this process has counted of one account in one hour. */
interface Count {
  readonly accountId: string;
  /** Hours since 1970. */
  readonly hour: number;
  requests: number;
  rateLimited: number;
  errors: number;
  /** Whether it changed since it was last written. */
  isDirty: boolean;
}

/**
 * Counts requests by account and hour (C-ACC-4). A request only adds to a number in memory. Each process writes its own
 * totals of the hour into documents of its own, so that a write can be repeated or overtaken, and nothing is counted twice or lost.
 */
export class UsageCounter {
  readonly #database: Database;
  readonly #process: string;
  #hour = 0;
  #counts = new Map<string, Count>();
  /** Counts of hours that have ended, until they are written. */
  #ended: Count[] = [];

  /** @param process a name that is unique among processes */
  constructor(database: Database, process: string) {
    this.#database = database;
    this.#process = process;
  }

  count(accountId: string, status: number): void {
    const hour = Math.floor(Date.now() / hourMs);
    // Never an earlier hour, even if the clock was set back: its total would begin anew and replace the one before.
    if (hour > this.#hour) this.#turn(hour);
    let count = this.#counts.get(accountId);
    if (!count) {
      count = { accountId, hour: this.#hour, requests: 0, rateLimited: 0, errors: 0, isDirty: true };
      this.#counts.set(accountId, count);
    }
    count.requests += 1;
    if (status === 429) count.rateLimited += 1;
    else if (status >= 400) count.errors += 1;
    count.isDirty = true;
  }

  #turn(hour: number): void {
    this.#ended.push(...[...this.#counts.values()].filter(({ isDirty }) => isDirty));
    this.#counts = new Map();
    this.#hour = hour;
  }

  /** Writes the counts that changed. What could not be written is written by a later flush. */
  async flush(): Promise<void> {
    const ended = this.#ended;
    const counts = [...ended, ...[...this.#counts.values()].filter(({ isDirty }) => isDirty)];
    if (counts.length === 0) return;
    for (const count of counts) count.isDirty = false;
    try {
      await this.#database.usage.bulkWrite(
        counts.map((count) => this.#update(count)),
        { ordered: false },
      );
      this.#ended = this.#ended.filter((count) => !ended.includes(count));
    } catch (error) {
      for (const count of counts) count.isDirty = true;
      throw error;
    }
  }

  #update({ accountId, hour, requests, rateLimited, errors }: Count) {
    const day = Math.floor(hour / hoursOfDay);
    return {
      updateOne: {
        filter: { _id: `${accountId}/${day}/${this.#process}` },
        update: {
          // Totals only grow, and arrays are compared from their first number on: an overtaken write changes nothing.
          $max: { [`hours.${hour % hoursOfDay}`]: [requests, rateLimited, errors] as const },
          $setOnInsert: { accountId, day: new Date(day * hoursOfDay * hourMs) },
        },
        upsert: true,
      },
    };
  }
}
