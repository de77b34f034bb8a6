import { type ClientSession, MongoServerError } from "mongodb";
import type { Database, StoredResponseDocument } from "./database.ts";

export type StoredResponse = StoredResponseDocument;

/** Another request with the same `Idempotency-Key` is running, or has just ended. */
export class IdempotencyConflictError extends Error {
  override readonly name = "IdempotencyConflictError";
}

/** First responses to writes with an `Idempotency-Key`; an index removes them after 24 hours (C-IDEM-1). */
export class IdempotencyRepository {
  readonly #database: Database;
  readonly #options: { session?: ClientSession };

  constructor(database: Database, session?: ClientSession) {
    this.#database = database;
    this.#options = session ? { session } : {};
  }

  async find(id: string): Promise<StoredResponse | null> {
    return this.#database.answers.findOne({ _id: id }, this.#options);
  }

  /**
   * Claims the key for this transaction, before its writes.
   * @throws IdempotencyConflictError when another transaction has claimed it and has not been rolled back
   */
  async claim(id: string, bodyDigest: string, now: Date): Promise<void> {
    const claim = { _id: id, bodyDigest, status: 0, headers: {}, body: "", createdAt: now };
    try {
      await this.#database.answers.insertOne(claim, this.#options);
    } catch (error) {
      const codes = [112, 11000]; // WriteConflict, DuplicateKey
      if (error instanceof MongoServerError && codes.includes(Number(error.code))) throw new IdempotencyConflictError();
      throw error;
    }
  }

  /** Stores the response of this transaction, under its claim. */
  async save(
    id: string,
    { status, headers, body }: Pick<StoredResponse, "status" | "headers" | "body">,
  ): Promise<void> {
    await this.#database.answers.updateOne({ _id: id }, { $set: { status, headers, body } }, this.#options);
  }
}
