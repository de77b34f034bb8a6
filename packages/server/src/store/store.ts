import { setTimeout as sleep } from "node:timers/promises";
import type { Deadline } from "../deadline.ts";
import { AccountRepository } from "./account-repository.ts";
import type { Database } from "./database.ts";
import { GroupCommit, type Work } from "./group-commit.ts";
import { KeyedMutex } from "./keyed-mutex.ts";
import { sharedLoaders } from "./loaders.ts";
import { createRepositories, type Repositories } from "./repositories.ts";
import { WriteConflictError } from "./write-conflict-error.ts";

export interface TransactionOptions {
  /** Until when the transaction is tried; waiting for its turn counts. */
  readonly deadline: Deadline;
  /** Id of the record that is written: the writers of one record in this process take turns. */
  readonly record?: string | undefined;
  /** Account that the work is for: the accounts that write one record take turns. */
  readonly account?: string;
  /** Whether no other work may share the transaction, for work that takes long or may fail by itself. */
  readonly alone?: boolean;
}

/** The database as operations see it. */
export class Store {
  readonly accounts: AccountRepository;
  /** For reads outside a transaction. */
  readonly repositories: Repositories;
  readonly #database: Database;
  readonly #groupCommit: GroupCommit;
  readonly #recordMutex = new KeyedMutex();

  constructor(database: Database) {
    this.#database = database;
    this.accounts = new AccountRepository(database);
    this.repositories = createRepositories(database, sharedLoaders(database));
    this.#groupCommit = new GroupCommit(database);
  }

  /**
   * Runs work in a transaction: all of its writes are kept, or none. Work that conflicts with other work runs again, so
   * it must do nothing but read and write repositories.
   * @throws WriteConflictError when it still conflicts or waits at its deadline
   */
  async transaction<Result>(work: Work<Result>, options: TransactionOptions): Promise<Result> {
    const { deadline, record, account = "", alone = false } = options;
    const run = () => {
      if (deadline.hasPassed) throw new WriteConflictError(0);
      return this.#groupCommit.run(work, deadline, alone);
    };
    // Without turns, all writers of a record but one would conflict, hold shards in vain, and back off ever longer.
    return record === undefined ? run() : this.#recordMutex.runExclusive(record, account, async () => run());
  }

  /** Whether the database answers within a time, in milliseconds. */
  async ping(timeoutMs: number): Promise<boolean> {
    const ping = this.#database.db.command({ ping: 1 }).then(
      () => true,
      () => false,
    );
    return Promise.race([ping, sleep(timeoutMs, false, { ref: false })]);
  }
}
