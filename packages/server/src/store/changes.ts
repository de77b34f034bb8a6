import type { AnyBulkWriteOperation, ClientSession, Collection, UpdateFilter } from "mongodb";
import type { Database, FeedbackDocument, MarkDocument, ProjectDocument } from "./database.ts";
import { type FeedbackMove, sendMoves } from "./feedback-counts.ts";
import { type Cells, sendTallies } from "./project-tallies.ts";

interface Documents {
  readonly projects: ProjectDocument;
  readonly feedback: FeedbackDocument;
  readonly marks: MarkDocument;
}
type Name = keyof Documents;

/**
 * What a transaction writes, kept until all its work has decided, and then sent with a command or two for each
 * collection, whether the work was one request's or that of many.
 */
export class Changes {
  readonly #inserts: { readonly [In in Name]: Documents[In][] } = { projects: [], feedback: [], marks: [] };
  readonly #updates: { readonly [In in Name]: AnyBulkWriteOperation<Documents[In]>[] } = {
    projects: [],
    feedback: [],
    marks: [],
  };
  readonly #cells: Cells[] = [];
  readonly #moves: FeedbackMove[] = [];

  insert<In extends Name>(name: In, document: Documents[In]): void {
    this.#inserts[name].push(document);
  }

  update<In extends Name>(name: In, id: string, update: UpdateFilter<Documents[In]>): void {
    this.#updates[name].push({ updateOne: { filter: { _id: id }, update } } as AnyBulkWriteOperation<Documents[In]>);
  }

  /** Adds to the numbers of projects. */
  tally(cells: Cells): void {
    this.#cells.push(cells);
  }

  /** Counts feedback that is new or has changed its status. */
  move(move: FeedbackMove): void {
    this.#moves.push(move);
  }

  /** Takes in what another work of the same transaction writes, after all of this. */
  take(other: Changes): void {
    for (const name of ["projects", "feedback", "marks"] as const) {
      (this.#inserts[name] as unknown[]).push(...other.#inserts[name]);
      (this.#updates[name] as unknown[]).push(...other.#updates[name]);
    }
    this.#cells.push(...other.#cells);
    this.#moves.push(...other.#moves);
  }

  /** Writes it all. @param slot which of the tallies' documents to add to */
  async send(database: Database, session: ClientSession, slot: number): Promise<void> {
    for (const name of ["projects", "feedback", "marks"] as const) {
      const collection = database[name] as unknown as Collection<Documents[Name]>;
      const inserts = this.#inserts[name];
      const updates = this.#updates[name] as AnyBulkWriteOperation<Documents[Name]>[];
      if (inserts.length > 0) await collection.insertMany(inserts, { session });
      if (updates.length > 0) await collection.bulkWrite(updates, { session });
    }
    await sendMoves(database, session, this.#moves);
    await sendTallies(database, session, slot, this.#cells);
  }
}
