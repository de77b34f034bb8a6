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

// Codes of a server that steps down, stops, or has run out of time.
const transientCodes = new Set([6, 7, 50, 89, 91, 112, 189, 262, 9001, 10107, 10058, 11600, 11602, 13435, 13436]);

// Node's errors of a socket that the other end has closed: the driver lets them through until it has noticed.
const socketCodes = new Set([
  "EPIPE",
  "ECONNRESET",
  "ECONNABORTED",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
]);

/** Whether an error means that the database is unreachable or overloaded, not that the service has a bug (C-ERR-2). */
export function isOutage(error: unknown): boolean {
  if (error instanceof WriteConflictError) return true;
  if (error instanceof MongoBulkWriteError) {
    // An error that ends a bulk write is wrapped in this class, with its code and its labels.
    const wrapped: unknown = error.errorResponse;
    if (wrapped instanceof Error) return isOutage(wrapped);
  }
  if (!(error instanceof MongoError)) return socketCodes.has((error as NodeJS.ErrnoException)?.code ?? "");
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  if (error.hasErrorLabel("TransientTransactionError") || error.hasErrorLabel("UnknownTransactionCommitResult"))
    return true;
  if (error.hasErrorLabel("RetryableWriteError") || error.hasErrorLabel("RetryableError")) return true;
  if (error instanceof MongoServerError) return typeof error.code === "number" && transientCodes.has(error.code);
  return (
    /topology|pool|not connected|interrupted/i.test(error.message) || /Topology|Pool|NotConnected/.test(error.name)
  );
}
