import type { ClientSession } from "mongodb";
import type { UnitOfWork } from "./unit-of-work.ts";

/** What repositories write to: the unit of work, and the session in which it will be committed. */
export interface Transaction {
  readonly unitOfWork: UnitOfWork;
  readonly session: ClientSession;
}

/** @throws Error outside a transaction, where nothing can be written */
export function requireTransaction(transaction: Transaction | undefined): Transaction {
  if (!transaction) throw new Error("Repositories write inside a transaction only.");
  return transaction;
}
