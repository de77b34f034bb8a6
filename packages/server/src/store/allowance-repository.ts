import type { AllowanceStore, Grant } from "../allowances/allowance.ts";
import type { AllowanceDocument, Database } from "./database.ts";

/** A lease is at most this part of what is left, so that it shrinks to one near the limit. */
const share = 16;
/** A process without a heartbeat for this many milliseconds, three beats, is dead. */
const deadAfterMs = 3_000;

/** Allowances in the database: one document for each subject and window, by the database's clock (C-RATE-1). */
export class AllowanceRepository implements AllowanceStore {
  readonly #database: Database;
  readonly #holder: string;
  readonly #windowMs: number;

  /** @param holder a name that is unique among processes, without dots and dollar signs */
  constructor(database: Database, holder: string, windowMs: number) {
    this.#database = database;
    this.#holder = holder;
    this.#windowMs = windowMs;
  }

  async take(subject: string, limit: number, wanted: number, size: number): Promise<Grant> {
    const over = { $lte: [{ $ifNull: ["$endsAt", new Date(0)] }, "$$NOW"] };
    const left = { $max: [0, { $subtract: [limit, "$granted"] }] };
    // A process that is alone with the subject gets more than it needs now; one of several, only what it needs.
    const alone = { $in: ["$last", ["", this.#holder]] };
    const ahead = {
      $cond: [{ $and: [alone, { $not: "$recalled" }] }, { $min: [size, { $floor: { $divide: ["$left", share] } }] }, 0],
    };
    const others = { $unsetField: { field: this.#holder, input: "$holders" } };
    const document = await this.#database.allowances.findOneAndUpdate(
      { _id: subject },
      [
        {
          $set: {
            endsAt: { $cond: [over, { $add: ["$$NOW", this.#windowMs] }, "$endsAt"] },
            granted: { $cond: [over, 0, "$granted"] },
            holders: { $cond: [over, {}, "$holders"] },
            last: { $cond: [over, "", "$last"] },
            recalled: { $cond: [over, false, "$recalled"] },
          },
        },
        { $set: { left } },
        { $set: { given: { $min: ["$left", { $max: [wanted, ahead] }] } } },
        {
          $set: {
            granted: { $add: ["$granted", "$given"] },
            last: this.#holder,
            // Requests that wait are spent at once; only the rest is held.
            holders: {
              $cond: [
                { $gt: ["$given", wanted] },
                { $setField: { field: this.#holder, input: "$holders", value: { $subtract: ["$given", wanted] } } },
                others,
              ],
            },
            now: "$$NOW",
          },
        },
        { $set: { recalled: { $and: [{ $eq: ["$given", 0] }, { $ne: [others, {}] }] } } },
      ],
      { upsert: true, returnDocument: "after", readPreference: "primary" },
    );
    const { given, granted, endsAt, now, holders } = document as AllowanceDocument & { given: number; now: Date };
    const elsewhere = Object.keys(holders).filter((holder) => holder !== this.#holder);
    return {
      given,
      granted,
      heldElsewhere: elsewhere.length > 0,
      heldByLiving: given === 0 && (await this.#anyLives(elsewhere)),
      endsAt: endsAt.getTime(),
      now: now.getTime(),
    };
  }

  /** The window of a subject, with the requests granted in it; null where none is open. */
  async find(subject: string): Promise<{ readonly granted: number; readonly endsAt: Date } | null> {
    const filter = { _id: subject, $expr: { $gt: ["$endsAt", "$$NOW"] } };
    return this.#database.allowances.findOne(filter, { projection: { granted: 1, endsAt: 1 } });
  }

  async giveBack(subject: string, endsAt: number, unspent: number): Promise<void> {
    await this.#database.allowances.updateOne({ _id: subject, endsAt: new Date(endsAt) }, [
      {
        $set: {
          granted: { $max: [0, { $subtract: ["$granted", unspent] }] },
          holders: { $unsetField: { field: this.#holder, input: "$holders" } },
        },
      },
      { $set: { recalled: { $and: ["$recalled", { $ne: ["$holders", {}] }] } } },
    ]);
  }

  async heartbeat(): Promise<void> {
    const beat = [{ $set: { seenAt: "$$NOW" } }];
    await this.#database.holders.updateOne({ _id: this.#holder }, beat, { upsert: true, writeConcern: { w: 1 } });
  }

  async leave(): Promise<void> {
    await this.#database.holders.deleteOne({ _id: this.#holder }, { writeConcern: { w: 1 } });
  }

  /** Whether one of these processes is alive, by the database's clock. */
  async #anyLives(holders: readonly string[]): Promise<boolean> {
    if (holders.length === 0) return false;
    const isFresh = { $gt: ["$seenAt", { $subtract: ["$$NOW", deadAfterMs] }] };
    const filter = { _id: { $in: holders }, $expr: isFresh };
    return (await this.#database.holders.findOne(filter, { readPreference: "primary" })) !== null;
  }

  async recalled(): Promise<string[]> {
    const documents = await this.#database.allowances.find({ recalled: true }, { projection: { _id: 1 } }).toArray();
    return documents.map(({ _id }) => _id);
  }
}
