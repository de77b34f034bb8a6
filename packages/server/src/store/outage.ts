import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
} from "mongodb";
import { WriteConflictError } from "./write-conflict-error.ts";

/** Whether an error says that the address of the database, or an option in it, cannot be used. */
export function isBadAddress(error: unknown): boolean {
  return error instanceof MongoParseError || error instanceof MongoInvalidArgumentError;
}

// Codes of a server that is stepping down, stopping, or out of time.
const passing = new Set([6, 7, 50, 89, 91, 112, 189, 262, 9001, 10107, 10058, 11600, 11602, 13435, 13436]);

// Of a socket that the other end has closed: as long as the driver has not noticed, it lets such errors of Node through.
const broken = new Set(["EPIPE", "ECONNRESET", "ECONNABORTED", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"]);

/** Whether an error says that the database is away or overtaken, rather than that the service is wrong (C-ERR-2). */
export function isOutage(error: unknown): boolean {
  if (error instanceof WriteConflictError) return true;
  if (error instanceof MongoBulkWriteError) {
    // Whatever stops a bulk comes in this wrap, which has its code and labels, but is of no other class.
    const wrapped: unknown = error.errorResponse;
    if (wrapped instanceof Error) return isOutage(wrapped);
  }
  if (!(error instanceof MongoError)) return broken.has((error as NodeJS.ErrnoException)?.code ?? "");
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  if (error.hasErrorLabel("TransientTransactionError") || error.hasErrorLabel("UnknownTransactionCommitResult"))
    return true;
  if (error.hasErrorLabel("RetryableWriteError") || error.hasErrorLabel("RetryableError")) return true;
  if (error instanceof MongoServerError) return typeof error.code === "number" && passing.has(error.code);
  return (
    /topology|pool|not connected|interrupted/i.test(error.message) || /Topology|Pool|NotConnected/.test(error.name)
  );
}
