import type { AnyBulkWriteOperation, ClientSession, Collection, UpdateFilter } from "mongodb";
import type { Database, DeletionDocument, FeedbackDocument, MarkDocument, ProjectDocument } from "./database.ts";
import { type FeedbackTransition, writeFeedbackTallies } from "./feedback-tallies.ts";
import { insert } from "./insert.ts";
import { type ProjectTallyChange, writeProjectTallies } from "./project-tallies.ts";

interface Documents {
  readonly projects: ProjectDocument;
  readonly feedback: FeedbackDocument;
  readonly marks: MarkDocument;
  readonly deletions: DeletionDocument;
}
type Name = keyof Documents;
const names = ["projects", "feedback", "marks", "deletions"] as const satisfies readonly Name[];

/**
 * The writes of a transaction. They are collected until all requests in it have decided, and then sent with one or two
 * commands for each collection, however many requests there are.
 */
export class UnitOfWork {
  readonly #inserts: { readonly [In in Name]: Documents[In][] } = {
    projects: [],
    feedback: [],
    marks: [],
    deletions: [],
  };
  readonly #updates: { readonly [In in Name]: AnyBulkWriteOperation<Documents[In]>[] } = {
    projects: [],
    feedback: [],
    marks: [],
    deletions: [],
  };
  readonly #tallyChanges: ProjectTallyChange[] = [];
  readonly #transitions: FeedbackTransition[] = [];

  insert<In extends Name>(name: In, document: Documents[In]): void {
    this.#inserts[name].push(document);
  }

  update<In extends Name>(name: In, id: string, update: UpdateFilter<Documents[In]>): void {
    this.#updates[name].push({ updateOne: { filter: { _id: id }, update } } as AnyBulkWriteOperation<Documents[In]>);
  }

  delete<In extends Name>(name: In, id: string): void {
    this.#updates[name].push({ deleteOne: { filter: { _id: id } } } as AnyBulkWriteOperation<Documents[In]>);
  }

  /** Changes the numbers of projects. */
  tally(changes: readonly ProjectTallyChange[]): void {
    this.#tallyChanges.push(...changes);
  }

  /** Counts feedback that is new or has changed its status. */
  transition(transition: FeedbackTransition): void {
    this.#transitions.push(transition);
  }

  /** Appends the writes of another unit of work of the same transaction. */
  append(other: UnitOfWork): void {
    for (const name of names) {
      (this.#inserts[name] as unknown[]).push(...other.#inserts[name]);
      (this.#updates[name] as unknown[]).push(...other.#updates[name]);
    }
    this.#tallyChanges.push(...other.#tallyChanges);
    this.#transitions.push(...other.#transitions);
  }

  /** Sends all writes. @param shard which documents of the project tallies to add to */
  async flush(database: Database, session: ClientSession, shard: number): Promise<void> {
    for (const name of names) {
      const collection = database[name] as unknown as Collection<Documents[Name]>;
      const inserts = this.#inserts[name];
      const updates = this.#updates[name] as AnyBulkWriteOperation<Documents[Name]>[];
      if (inserts.length > 0) await insert(database, name, inserts, session);
      if (updates.length > 0) await collection.bulkWrite(updates, { session });
    }
    await writeFeedbackTallies(database, session, this.#transitions);
    await writeProjectTallies(database, session, shard, this.#tallyChanges);
  }
}
