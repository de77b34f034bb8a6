import { setTimeout as sleep } from "node:timers/promises";
import type { ClientSession } from "mongodb";
import { AccountRecords } from "./account-records.ts";
import { AnswerRecords } from "./answer-records.ts";
import type { Database } from "./database.ts";
import { FeedbackRecords } from "./feedback-records.ts";
import { ProjectRecords } from "./project-records.ts";
import { ProjectTallies, slots } from "./project-tallies.ts";
import { type Reads, readsInside, readsTogether } from "./reads.ts";

/** What an operation reads and writes; all of it in one transaction, or none in any. */
export interface Records {
  readonly projects: ProjectRecords;
  readonly feedback: FeedbackRecords;
  readonly answers: AnswerRecords;
}

function recordsOf(database: Database, reads: Reads, slot: number, session?: ClientSession): Records {
  return {
    projects: new ProjectRecords(database, reads, new ProjectTallies(database, reads, slot, session), session),
    feedback: new FeedbackRecords(database, reads, session),
    answers: new AnswerRecords(database, session),
  };
}

/** A transaction that collided with others, or waited for them, until its time was up. */
export class CollisionError extends Error {
  override readonly name = "CollisionError";

  constructor(attempts: number) {
    super(`The transaction gave up, after ${attempts} collisions with others or waiting for its turn.`);
  }
}

/** The database as operations see it. */
export class Store {
  readonly accounts: AccountRecords;
  /** Reads and writes outside a transaction. */
  readonly records: Records;
  readonly #database: Database;
  readonly #freeSlots = Array.from({ length: slots }, (_, slot) => slot).sort(() => Math.random() - 0.5);
  readonly #waiting: ((slot: number) => void)[] = [];
  /** Record → when the last of those who write it is done. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(database: Database) {
    this.#database = database;
    this.accounts = new AccountRecords(database);
    this.records = recordsOf(database, readsTogether(database), 0);
  }

  /**
   * Runs `work` in a transaction: all it wrote is kept, or nothing. Work that collided with another's is run again,
   * so it must do nothing but read and write records.
   * @param record id of the record that is written, whose writers of this process take turns
   * @throws CollisionError when it had no turn, or still collides, after `patienceMs`
   */
  async transaction<Result>(
    work: (records: Records) => Promise<Result>,
    patienceMs = 4_000,
    record?: string,
  ): Promise<Result> {
    // Waiting for a turn and a slot counts: nobody waits any more for work that begins after its time.
    const deadline = performance.now() + patienceMs;
    const run = () => this.#run(work, deadline);
    return record === undefined ? run() : this.#inTurn(record, run);
  }

  // Colliding, all writers of a record but one would work in vain, hold the slots of others, and back off ever longer.
  async #inTurn<Result>(record: string, run: () => Promise<Result>): Promise<Result> {
    const turn = (this.#turns.get(record) ?? Promise.resolve()).then(run);
    const over = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(record, over);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(record) === over) this.#turns.delete(record);
    }
  }

  async #run<Result>(work: (records: Records) => Promise<Result>, deadline: number): Promise<Result> {
    const slot = await this.#takeSlot();
    const session = this.#database.client.startSession();
    let attempt = 0;
    try {
      return await session.withTransaction(
        async () => {
          if (performance.now() > deadline) throw new CollisionError(attempt);
          // Another slot each time: the one before may be held by a process that died.
          return work(recordsOf(this.#database, readsInside(this.#database, session), slot + 5 * attempt++, session));
        },
        { readConcern: { level: "snapshot" }, writeConcern: { w: "majority" }, readPreference: "primary" },
      );
    } finally {
      this.#giveSlot(slot);
      await session.endSession();
    }
  }

  // A slot to each transaction, so that those of one process never collide on a tally; it bounds their number too.
  async #takeSlot(): Promise<number> {
    return this.#freeSlots.pop() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveSlot(slot: number): void {
    const next = this.#waiting.shift();
    if (next) next(slot);
    else this.#freeSlots.push(slot);
  }

  /** Whether the database answers, within `patienceMs`. */
  async answers(patienceMs: number): Promise<boolean> {
    const ping = this.#database.db.command({ ping: 1 }).then(
      () => true,
      () => false,
    );
    return Promise.race([ping, sleep(patienceMs, false, { ref: false })]);
  }
}
