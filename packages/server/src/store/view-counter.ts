import { MongoServerError, ObjectId } from "mongodb";
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

  /**
   * Projects with as many views share one update, with the bare command: that is a third of the processor time of the
   * driver's bulkWrite with an update for each project, of which mongod also keeps a record in case it is sent again.
   */
  async #write({ id, views }: Batch): Promise<void> {
    const updates = [...Map.groupBy(views, ([, by]) => by)].map(([by, ofProjects]) => ({
      q: { _id: { $in: ofProjects.map(([project]) => project) }, viewBatches: { $ne: id } },
      u: { $inc: { "counts.views": by }, $push: { viewBatches: { $each: [id], $slice: -keptIds } } },
      multi: true,
    }));
    const command = { update: "projects", updates, ordered: false, writeConcern: { w: "majority" } };
    const { writeErrors: [failure] = [], writeConcernError = failure } = await this.#database.db.command(command);
    // The command succeeds although an update in it has failed, or has not reached the majority.
    if (writeConcernError) throw new MongoServerError(writeConcernError);
  }
}
