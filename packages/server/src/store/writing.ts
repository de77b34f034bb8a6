import type { ClientSession } from "mongodb";
import type { Changes } from "./changes.ts";

/** Where records write: what they change, and the transaction in which it will be sent. */
export interface Writing {
  readonly changes: Changes;
  readonly session: ClientSession;
}

/** What to write to. @throws Error outside a transaction, where nothing may be written */
export function writingTo(writing: Writing | undefined): Writing {
  if (!writing) throw new Error("records are written in a transaction");
  return writing;
}
