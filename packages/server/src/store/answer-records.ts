import { type ClientSession, MongoServerError } from "mongodb";
import type { AnswerDocument, Database } from "./database.ts";

export type SavedAnswer = AnswerDocument;

/** A write with the same `Idempotency-Key` is at the same point at this moment. */
export class AnswerCollision extends Error {
  override readonly name = "AnswerCollision";
}

/** First answers to writes with an `Idempotency-Key`; an index forgets them after 24 hours (C-IDEM-1). */
export class AnswerRecords {
  readonly #database: Database;
  readonly #options: { session?: ClientSession };

  constructor(database: Database, session?: ClientSession) {
    this.#database = database;
    this.#options = session ? { session } : {};
  }

  async find(id: string): Promise<SavedAnswer | null> {
    return this.#database.answers.findOne({ _id: id }, this.#options);
  }

  /**
   * Claims the key for this transaction, before its work: a second claim collides until the first has ended.
   * @throws AnswerCollision where another claim is open or has been kept
   */
  async claim(id: string, bodyDigest: string, now: Date): Promise<void> {
    const claim = { _id: id, bodyDigest, status: 0, headers: {}, body: "", createdAt: now };
    try {
      await this.#database.answers.insertOne(claim, this.#options);
    } catch (error) {
      const codes = [112, 11000]; // WriteConflict, DuplicateKey
      if (error instanceof MongoServerError && codes.includes(Number(error.code))) throw new AnswerCollision();
      throw error;
    }
  }

  /** Keeps the answer of this transaction's work, under its claim. */
  async keep(id: string, answer: Pick<SavedAnswer, "status" | "headers" | "body">): Promise<void> {
    await this.#database.answers.updateOne({ _id: id }, { $set: answer }, this.#options);
  }
}
