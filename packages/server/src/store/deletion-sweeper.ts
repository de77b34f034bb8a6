import { setTimeout as sleep } from "node:timers/promises";
import type { Collection } from "mongodb";
import type { Database } from "./database.ts";

/** Records in one command: few enough that it takes some tens of milliseconds. */
const portionSize = 500;

/** How long a deletion is one process's, in milliseconds; a process that was killed holds it no longer. */
const defaultClaimMs = 10_000;

type Dependent = { readonly _id: string; readonly projectId: string };

/**
 * Removes the feedback, marks and tallies of deleted projects, which nobody can read any more (C-PROJ-5). A deletion
 * stays in the database until all of them are gone, so that another process finishes what one that was killed began.
 * Half of the time the sweeper rests, so that it takes at most half of what one connection can write.
 */
export class DeletionSweeper {
  readonly #database: Database;
  readonly #claimMs: number;
  #isStopped = false;
  #sweeping: Promise<void> | undefined;

  constructor(database: Database, claimMs = defaultClaimMs) {
    this.#database = database;
    this.#claimMs = claimMs;
  }

  /** Sweeps until no deletion is left that is free; one sweep at a time. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepAll().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** Stops after the current portion. Another process, or the next start, goes on. */
  async close(): Promise<void> {
    this.#isStopped = true;
    // Whoever started the sweep has been told of its error.
    await this.#sweeping?.catch(() => undefined);
  }

  async #sweepAll(): Promise<void> {
    while (!this.#isStopped) {
      const projectId = await this.#claim();
      if (projectId === undefined) return;
      await this.#sweepProject(projectId);
    }
  }

  /** The id of a deleted project that no other process sweeps; by the database's clock. */
  async #claim(): Promise<string | undefined> {
    const claimed = await this.#database.deletions.findOneAndUpdate(
      { $expr: { $lte: ["$claimedUntil", "$$NOW"] } },
      [{ $set: { claimedUntil: { $add: ["$$NOW", this.#claimMs] } } }],
      { projection: { _id: 1 } },
    );
    return claimed?._id;
  }

  async #sweepProject(projectId: string): Promise<void> {
    const { deletions, feedback, marks, testerTallies } = this.#database;
    // In this order: a mark that is still being committed changes its feedback, so it comes before the removal or fails.
    for (const dependents of [feedback, marks, testerTallies]) {
      for (;;) {
        const began = performance.now();
        const removed = await this.#removePortion(projectId, dependents as unknown as Collection<Dependent>);
        if (this.#isStopped) {
          await deletions.updateOne({ _id: projectId }, { $set: { claimedUntil: new Date(0) } });
          return;
        }
        if (removed < portionSize) break;
        await deletions.updateOne({ _id: projectId }, [{ $set: { claimedUntil: { $add: ["$$NOW", this.#claimMs] } } }]);
        await sleep(performance.now() - began, undefined, { ref: false });
      }
    }
    await deletions.deleteOne({ _id: projectId });
  }

  async #removePortion(projectId: string, dependents: Collection<Dependent>): Promise<number> {
    // A secondary may not have the newest records yet, and what it does not show would stay for ever.
    const options = { projection: { _id: 1 }, limit: portionSize, readPreference: "primary" } as const;
    const portion = await dependents.find({ projectId }, options).toArray();
    if (portion.length > 0) await dependents.deleteMany({ _id: { $in: portion.map(({ _id }) => _id) } });
    return portion.length;
  }
}
