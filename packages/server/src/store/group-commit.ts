import type { ClientSession } from "mongodb";
import type { Deadline } from "../deadline.ts";
import { DomainError } from "../domain/errors.ts";
import type { Database } from "./database.ts";
import { transactionLoaders } from "./loaders.ts";
import { tallyShards } from "./project-tallies.ts";
import { createRepositories, type Repositories } from "./repositories.ts";
import { ShardPool } from "./shard-pool.ts";
import { UnitOfWork } from "./unit-of-work.ts";
import { WriteConflictError } from "./write-conflict-error.ts";

/** A group that has not reached its commit after this many milliseconds, as on a dead connection, delays no other. */
const slowMs = 200;
/** Most requests in one transaction. */
const maxGroupSize = 64;
/** How often a group is tried. Then each task runs by itself, so that one that keeps conflicting delays no other. */
const maxGroupAttempts = 2;

/** Reads and writes repositories, and nothing else: it may run more than once. */
export type Work<Result> = (repositories: Repositories) => Promise<Result>;

/** The work of one request, and who waits for it. */
interface Task {
  readonly work: Work<unknown>;
  readonly deadline: Deadline;
  settle(outcome: PromiseSettledResult<unknown>): void;
}

/**
 * Commits the work of requests that come at the same time in one transaction: they share its cost, above all the wait
 * for the majority. One group runs at a time; requests that come meanwhile form the next one, which starts while this
 * one commits. Two groups at once would be smaller, and cost more together. Each request succeeds or is refused by
 * itself. When a group fails in any other way before its commit, each task runs in a transaction of its own.
 */
export class GroupCommit {
  readonly #database: Database;
  readonly #shards = new ShardPool(tallyShards);
  readonly #queue: Task[] = [];
  #isRunning = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Runs work in a transaction.
   * @param alone whether no other work may share the transaction
   * @throws WriteConflictError after the deadline
   */
  run<Result>(work: Work<Result>, deadline: Deadline, alone: boolean): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const settle = (outcome: PromiseSettledResult<unknown>) =>
        outcome.status === "fulfilled" ? resolve(outcome.value as Result) : reject(outcome.reason);
      const task = { work, deadline, settle };
      if (alone) {
        void this.#commit([task], this.#shards.take());
        return;
      }
      this.#dropExpired();
      this.#queue.push(task);
      // An idle server starts at once; requests of the same tick still form one group.
      if (!this.#isRunning) this.#start();
    });
  }

  #start(): void {
    this.#isRunning = true;
    void this.#commitNext();
  }

  #startNext(): void {
    this.#isRunning = this.#queue.length > 0;
    // Requests that arrive in the same turn of the event loop join the group.
    if (this.#isRunning) setImmediate(() => void this.#commitNext());
  }

  async #commitNext(): Promise<void> {
    // While all shards are in use, tasks wait in the queue, where others join them and expired ones are dropped.
    const shard = await this.#shards.take();
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      clearTimeout(timer);
      this.#startNext();
    };
    const timer = setTimeout(release, slowMs);
    await this.#commit(this.#queue.splice(0, maxGroupSize), shard, release).finally(release);
  }

  /** While no transaction ends, the queue would keep tasks that nobody waits for any more. */
  #dropExpired(): void {
    for (let [first] = this.#queue; first?.deadline.hasPassed; [first] = this.#queue) {
      this.#queue.shift()?.settle({ status: "rejected", reason: new WriteConflictError(0) });
    }
  }

  /** @param release lets the next group start: called when the commit is about to be sent, and before another attempt */
  async #commit(tasks: readonly Task[], lentShard: number | Promise<number>, release = () => {}): Promise<void> {
    const shard = await lentShard;
    let isSent = false;
    let attempt = 0;
    try {
      const session = this.#database.client.startSession();
      try {
        const outcomes = await session.withTransaction(
          async () => {
            isSent = false;
            if (attempt > 0) release();
            if (tasks.length > 1 && attempt === maxGroupAttempts) throw new WriteConflictError(attempt);
            // Another shard for each attempt: the one before may be locked by a process that died.
            const done = await this.#attempt(tasks, session, shard + 5 * attempt, attempt++);
            isSent = true;
            release();
            return done;
          },
          { readConcern: { level: "snapshot" }, writeConcern: { w: "majority" }, readPreference: "primary" },
        );
        for (const [index, task] of tasks.entries()) task.settle(outcomes[index] as PromiseSettledResult<unknown>);
      } finally {
        await session.endSession();
      }
    } catch (reason) {
      // A commit that was sent may have succeeded although its answer was lost: it must not be repeated.
      if (tasks.length === 1 || isSent) for (const task of tasks) task.settle({ status: "rejected", reason });
      // Not awaited: the next group need not wait for the slowest of them.
      else for (const task of tasks) void this.#commit([task], this.#shards.take());
    } finally {
      this.#shards.release(shard, attempt > 1);
    }
  }

  /** Runs all work and flushes its writes. A refusal is an outcome; any other error ends the attempt. */
  async #attempt(
    tasks: readonly Task[],
    session: ClientSession,
    shard: number,
    attempt: number,
  ): Promise<PromiseSettledResult<unknown>[]> {
    const loaders = transactionLoaders(this.#database, session);
    const units = tasks.map(() => new UnitOfWork());
    const outcomes = await Promise.allSettled(
      tasks.map(async ({ work, deadline }, index) => {
        if (deadline.hasPassed) throw new WriteConflictError(attempt);
        const unitOfWork = units[index] as UnitOfWork;
        return work(createRepositories(this.#database, loaders, { unitOfWork, session }));
      }),
    );
    const all = new UnitOfWork();
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === "fulfilled") all.append(units[index] as UnitOfWork);
      // A task that runs alone may have written already: its error rolls the transaction back.
      else if (tasks.length === 1 || !concernsOneTask(outcome.reason)) throw outcome.reason;
    }
    await all.flush(this.#database, session, shard);
    return outcomes;
  }
}

/** Whether an error concerns only the task that threw it. */
function concernsOneTask(error: unknown): boolean {
  return error instanceof DomainError || error instanceof WriteConflictError;
}
