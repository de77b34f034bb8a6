import type { Database } from "./database.ts";

/** Views that are counted in memory and written later: they may lag (C-STATS-1), so a read causes no write. */
export class ViewCounter {
  readonly #database: Database;
  #pending = new Map<string, number>();
  #flushed: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  count(projectId: string): void {
    this.#pending.set(projectId, (this.#pending.get(projectId) ?? 0) + 1);
  }

  /** Writes the pending views, after an earlier flush has ended. Those that could not be written are pending again. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.catch(() => undefined).then(() => this.#write());
    return this.#flushed;
  }

  async #write(): Promise<void> {
    const pending = this.#pending;
    if (pending.size === 0) return;
    this.#pending = new Map();
    const updates = [...pending].map(([_id, views]) => ({
      updateOne: { filter: { _id }, update: { $inc: { "counts.views": views } } },
    }));
    try {
      await this.#database.projects.bulkWrite(updates, { ordered: false });
    } catch (error) {
      for (const [id, views] of pending) this.#pending.set(id, (this.#pending.get(id) ?? 0) + views);
      throw error;
    }
  }
}
