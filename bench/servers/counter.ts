import type { PeerDatabase } from "./database.ts";

/** Length of an allowance's window, in milliseconds. */
export const windowMs = 3_600_000;

/** An account's requests in its window, this one included, and when the window ends. */
export interface Hits {
  readonly hits: number;
  readonly endsAt: Date;
}

/**
 * Counts a request of an account in the store that all processes share: one `findOneAndUpdate`, acknowledged by the
 * primary alone. The window begins with the first request in it.
 */
export async function hit({ hits }: PeerDatabase, accountId: string): Promise<Hits> {
  for (;;) {
    const now = Date.now();
    const counted = await hits.findOneAndUpdate(
      { _id: accountId },
      { $inc: { hits: 1 }, $setOnInsert: { endsAt: new Date(now + windowMs) } },
      { upsert: true, returnDocument: "after", writeConcern: { w: 1 } },
    );
    if (counted && counted.endsAt.getTime() > now) return counted;
    // The window is over and the database has not yet removed it. Whoever comes first begins the next one.
    if (counted) await hits.deleteOne({ _id: accountId, endsAt: counted.endsAt });
  }
}
