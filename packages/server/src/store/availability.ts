import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";

/** What the database can do at the moment. While a primary is being elected, it can be read but not written. */
export interface Availability {
  readonly reads: boolean;
  readonly writes: boolean;
}

/** Asks the database what it can do; what it has not answered in time counts as unavailable. */
export async function checkAvailability({ db, accounts }: Database, timeoutMs: number): Promise<Availability> {
  const read = accounts.findOne({ _id: "" }, { projection: { _id: 1 } }).then(() => true);
  // `command` would go to the primary alone, and so fail during an election.
  const write = db
    .command({ hello: 1 }, { readPreference: "primaryPreferred" })
    .then(({ isWritablePrimary, msg }) => isWritablePrimary === true || msg === "isdbgrid");
  const answered = (work: Promise<boolean>) =>
    Promise.race([work.catch(() => false), sleep(timeoutMs, false, { ref: false })]);
  const [reads, writes] = await Promise.all([answered(read), answered(write)]);
  return { reads, writes: reads && writes };
}
