import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { CommandError } from "./command-error.ts";

/** As much of the end of mongod's log as holds what it wrote when it ended, in bytes. */
const endBytes = 65_536;

/**
 * Says why the embedded mongod ended by itself, and what to do.
 * @param code its exit code; null when a signal ended it
 */
export function mongodLoss({ dataDir }: Pick<Config, "dataDir">, code: number | null): CommandError {
  const logPath = join(dataDir, "mongod.log");
  const how = code === null ? "killed by a signal" : `exit code ${code}`;
  const isFull = /No space left on device|ENOSPC/.test(endOf(logPath));
  const remedy = isFull
    ? `The disk of ${dataDir} is full. Free some space, then start again.`
    : `Read ${logPath}, then start again.`;
  return new CommandError(`The embedded mongod ended by itself (${how}). ${remedy}`, 3);
}

/** Says that a server stopped without its database. */
export function databaseUnreachable({ mongodbUri, dataDir }: Pick<Config, "mongodbUri" | "dataDir">): CommandError {
  const lost = "The last view counts and uses of keys may be lost.";
  if (mongodbUri !== undefined) {
    const remedy = "Check MONGODB_URI and that MongoDB is running.";
    return new CommandError(`The database could not be reached when the server stopped. ${lost} ${remedy}`, 3);
  }
  const remedy = `Read ${join(dataDir, "mongod.log")}.`;
  return new CommandError(`The embedded mongod did not answer when the server stopped. ${lost} ${remedy}`, 3);
}

/** The end of a file; empty where it cannot be read. */
function endOf(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(endBytes);
      const length = readSync(file, bytes, 0, endBytes, Math.max(0, fstatSync(file).size - endBytes));
      return bytes.toString("utf8", 0, length);
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
