import type { PeerDatabase } from "./database.ts";

/** Length of an allowance's window, in milliseconds. */
export const windowMs = 3_600_000;

/** The requests of an account in its window, this one included, and the end of the window. */
export interface Hits {
  readonly hits: number;
  readonly endsAt: Date;
}

/**
 * Counts a request of an account in MongoDB, for all processes: one `findOneAndUpdate`, acknowledged by the
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
    // The window is over, and MongoDB has not yet removed it. The first request to delete it begins the next one.
    if (counted) await hits.deleteOne({ _id: accountId, endsAt: counted.endsAt });
  }
}
