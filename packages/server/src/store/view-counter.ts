import { ObjectId } from "mongodb";
import type { Database } from "./database.ts";

/** Views that are written together; the id tells a project that already has them. */
interface Batch {
  readonly id: ObjectId;
  /** Project → views. */
  readonly views: ReadonlyMap<string, number>;
}

/** Ids that a project keeps: more than the batches that all processes write before one of them tries again. */
const keptIds = 16;

/** Views that are counted in memory and written later: they may lag (C-STATS-1), so a read causes no write. */
export class ViewCounter {
  readonly #database: Database;
  #pending = new Map<string, number>();
  /** A batch whose writing failed: some or all of it may have been written. */
  #unsure: Batch | undefined;
  #flushed: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  count(projectId: string): void {
    this.#pending.set(projectId, (this.#pending.get(projectId) ?? 0) + 1);
  }

  /** Writes the pending views, after an earlier flush has ended. Those that could not be written stay pending. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.catch(() => undefined).then(() => this.#writeAll());
    return this.#flushed;
  }

  async #writeAll(): Promise<void> {
    for (let batch = this.#unsure ?? this.#take(); batch; batch = this.#take()) {
      this.#unsure = batch;
      await this.#write(batch);
      this.#unsure = undefined;
    }
  }

  #take(): Batch | undefined {
    const views = this.#pending;
    if (views.size === 0) return undefined;
    this.#pending = new Map();
    return { id: new ObjectId(), views };
  }

  async #write({ id, views }: Batch): Promise<void> {
    const updates = [...views].map(([_id, by]) => ({
      updateOne: {
        filter: { _id, viewBatches: { $ne: id } },
        update: { $inc: { "counts.views": by }, $push: { viewBatches: { $each: [id], $slice: -keptIds } } },
      },
    }));
    await this.#database.projects.bulkWrite(updates, { ordered: false });
  }
}
