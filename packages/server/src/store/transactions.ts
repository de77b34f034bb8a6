import type { ClientSession } from "mongodb";
import { Refusal } from "../errors.ts";
import { Changes } from "./changes.ts";
import { CollisionError } from "./collision-error.ts";
import type { Database } from "./database.ts";
import { slots } from "./project-tallies.ts";
import { readsInside } from "./reads.ts";
import { type Records, recordsOf } from "./records.ts";

/** A group that has not come to its commit after this many milliseconds, as on a dead connection, holds up no other. */
const longestHoldMs = 200;
/** Requests that one transaction does at most. */
const mostInGroup = 64;
/** So often a group is tried; then each of its works is, so that one that collides for long delays itself alone. */
const mostAttempts = 2;

/** One request's work, which reads and writes records, and who waits for it. */
interface Task {
  readonly work: (records: Records) => Promise<unknown>;
  /** By the clock of `performance.now()`. */
  readonly deadline: number;
  settle(outcome: PromiseSettledResult<unknown>): void;
}

/**
 * Transactions of a process. The work of requests that come at the same time goes into one: its cost, above all the
 * wait for the majority, is then shared. One group works at a time, but for work that is done again; who comes
 * meanwhile goes with the next, which begins while this one commits: two that work at once would be smaller, and cost
 * more together. Each request is kept or refused by itself; where one of them fails otherwise, before anything was
 * committed, each is done again in a transaction of its own.
 */
export class Transactions {
  readonly #database: Database;
  readonly #freeSlots = Array.from({ length: slots }, (_, slot) => slot).sort(() => Math.random() - 0.5);
  readonly #waitingForSlot: ((slot: number) => void)[] = [];
  readonly #waiting: Task[] = [];
  #isWorking = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Does work in a transaction, together with other work unless it is to be `alone`. @throws CollisionError after `deadline` */
  run<Result>(work: (records: Records) => Promise<Result>, deadline: number, alone: boolean): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const settle = (outcome: PromiseSettledResult<unknown>) =>
        outcome.status === "fulfilled" ? resolve(outcome.value as Result) : reject(outcome.reason);
      const task = { work, deadline, settle };
      if (alone) {
        void this.#perform([task], this.#takeSlot());
        return;
      }
      this.#dropLate();
      this.#waiting.push(task);
      if (this.#waiting.length === 1) this.#next();
    });
  }

  #next(): void {
    if (this.#isWorking || this.#waiting.length === 0) return;
    this.#isWorking = true;
    // All that this turn of the event loop brings goes along.
    setImmediate(() => void this.#performNext());
  }

  async #performNext(): Promise<void> {
    // While all slots are taken, work waits where more joins it, and where it is dropped when its time is over.
    const slot = await this.#takeSlot();
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      clearTimeout(late);
      this.#isWorking = false;
      this.#next();
    };
    const late = setTimeout(release, longestHoldMs);
    await this.#perform(this.#waiting.splice(0, mostInGroup), slot, release).finally(release);
  }

  /** Where no transaction comes to its end, what waits for one would be kept for nobody. */
  #dropLate(): void {
    const now = performance.now();
    for (let [first] = this.#waiting; first && first.deadline < now; [first] = this.#waiting) {
      this.#waiting.shift()?.settle({ status: "rejected", reason: new CollisionError(0) });
    }
  }

  /** @param letNext called when the commit is about to be sent, or where the work has to be done again */
  async #perform(tasks: readonly Task[], givenSlot: number | Promise<number>, letNext = () => {}): Promise<void> {
    const slot = await givenSlot;
    let sent = false;
    let attempt = 0;
    try {
      const session = this.#database.client.startSession();
      try {
        const outcomes = await session.withTransaction(
          async () => {
            sent = false;
            if (attempt > 0) letNext();
            if (tasks.length > 1 && attempt === mostAttempts) throw new CollisionError(attempt);
            // Another slot each time: the one before may be held by a process that died.
            const done = await this.#attempt(tasks, session, slot + 5 * attempt, attempt++);
            sent = true;
            letNext();
            return done;
          },
          { readConcern: { level: "snapshot" }, writeConcern: { w: "majority" }, readPreference: "primary" },
        );
        for (const [place, task] of tasks.entries()) task.settle(outcomes[place] as PromiseSettledResult<unknown>);
      } finally {
        await session.endSession();
      }
    } catch (reason) {
      // What was sent may have been committed, though the answer was lost: then it must not be done again.
      if (tasks.length === 1 || sent) for (const task of tasks) task.settle({ status: "rejected", reason });
      // Not waited for: the next group need not wait for the slowest of them.
      else for (const task of tasks) void this.#perform([task], this.#takeSlot());
    } finally {
      this.#giveSlot(slot, attempt > 1);
    }
  }

  /** Does all work and writes what came of it; a refusal is an outcome, any other error ends the attempt. */
  async #attempt(
    tasks: readonly Task[],
    session: ClientSession,
    slot: number,
    attempt: number,
  ): Promise<PromiseSettledResult<unknown>[]> {
    const reads = readsInside(this.#database, session);
    const writings = tasks.map(() => ({ changes: new Changes(), session }));
    const outcomes = await Promise.allSettled(
      tasks.map(async ({ work, deadline }, place) => {
        if (performance.now() > deadline) throw new CollisionError(attempt);
        return work(recordsOf(this.#database, reads, writings[place]));
      }),
    );
    const all = new Changes();
    for (const [place, outcome] of outcomes.entries()) {
      if (outcome.status === "fulfilled") all.take(writings[place]?.changes ?? all);
      // Work that is alone may have written already, and takes that back.
      else if (tasks.length === 1 || !isOwn(outcome.reason)) throw outcome.reason;
    }
    await all.send(this.#database, session, slot);
    return outcomes;
  }

  // A slot to each transaction, so that those of one process never collide on a tally; it bounds their number too.
  async #takeSlot(): Promise<number> {
    return this.#freeSlots.shift() ?? new Promise((resolve) => this.#waitingForSlot.push(resolve));
  }

  #giveSlot(slot: number, hasCollided: boolean): void {
    const next = this.#waitingForSlot.shift();
    if (next) next(slot);
    // Another process may write there too: taken last, so that processes part.
    else if (hasCollided) this.#freeSlots.push(slot);
    // Taken first again: the fewer documents hold a tally, the less a total has to read.
    else this.#freeSlots.unshift(slot);
  }
}

/** Whether an error concerns none but the work that threw it. */
function isOwn(error: unknown): boolean {
  return error instanceof Refusal || error instanceof CollisionError;
}
