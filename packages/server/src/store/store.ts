import { setTimeout as sleep } from "node:timers/promises";
import { AccountRecords } from "./account-records.ts";
import type { Database } from "./database.ts";
import { readsTogether } from "./reads.ts";
import { type Records, recordsOf } from "./records.ts";
import { Transactions } from "./transactions.ts";

/** The database as operations see it. */
export class Store {
  readonly accounts: AccountRecords;
  /** Reads and writes outside a transaction. */
  readonly records: Records;
  readonly #database: Database;
  readonly #transactions: Transactions;
  /** Record → when the last of those who write it is done. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(database: Database) {
    this.#database = database;
    this.accounts = new AccountRecords(database);
    this.records = recordsOf(database, readsTogether(database));
    this.#transactions = new Transactions(database);
  }

  /**
   * Runs `work` in a transaction: all it wrote is kept, or nothing. Work that collided with another's is run again,
   * so it must do nothing but read and write records.
   * @param options.patienceMs how long it is tried
   * @param options.record id of the record that is written, whose writers of this process take turns
   * @param options.alone in a transaction that no other work shares, for what takes long or may fail by itself
   * @throws CollisionError when it had no turn, or still collides, after that time
   */
  async transaction<Result>(
    work: (records: Records) => Promise<Result>,
    options: { readonly patienceMs: number; readonly record?: string | undefined; readonly alone?: boolean },
  ): Promise<Result> {
    // Waiting for a turn counts: nobody waits any more for work that begins after its time.
    const deadline = performance.now() + options.patienceMs;
    const run = () => this.#transactions.run(work, deadline, options.alone ?? false);
    return options.record === undefined ? run() : this.#inTurn(options.record, run);
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

  /** Whether the database answers, within `patienceMs`. */
  async answers(patienceMs: number): Promise<boolean> {
    const ping = this.#database.db.command({ ping: 1 }).then(
      () => true,
      () => false,
    );
    return Promise.race([ping, sleep(patienceMs, false, { ref: false })]);
  }
}
