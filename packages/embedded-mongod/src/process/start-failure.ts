import { statfsSync } from "node:fs";
import { EmbeddedError } from "../embedded-error.ts";
import type { SettingNames } from "../setting-names.ts";
import { endOfLog, logMatches } from "./log.ts";

export interface FailedStart {
  binary: string;
  dbPath: string;
  logPath: string;
  settingNames?: SettingNames;
  /** Null when mongod was killed or still runs. */
  exitCode: number | null;
  cause: unknown;
}

/** The error of a mongod that did not start, with the end of its log and what to do. */
export function startFailure(failed: FailedStart): EmbeddedError {
  const { binary, dbPath, logPath, exitCode, cause } = failed;
  const exit = exitCode === null ? "" : ` (exit code ${exitCode})`;
  const lines = endOfLog(logPath);
  return new EmbeddedError(
    `mongod (${binary}) did not start on ${dbPath}${exit}:`,
    remedyFor(failed),
    lines.length > 0 ? lines : [String(cause)],
    cause,
  );
}

const versionMismatch =
  /featureCompatibilityVersion|Wrong mongod version|UPGRADE PROBLEM|unsupported WiredTiger file version/i;

function remedyFor({ dbPath, logPath, settingNames, cause }: FailedStart): string {
  if (logMatches(logPath, /DBPathInUse|already running on the/)) {
    return `Another mongod serves ${dbPath}: stop it, or choose another data directory.`;
  }
  // Before the version: mongod also names the feature compatibility version that it could not write.
  if (isDiskFull(dbPath, logPath, cause)) return "The disk is full: free some space, then start again.";
  if (logMatches(logPath, versionMismatch)) {
    return "The data was written by another version of mongod: set MONGOD_BINARY to that version, or choose another data directory.";
  }
  return settingNames?.uri
    ? `Read ${logPath}, or set ${settingNames.uri} to use another database.`
    : `Read ${logPath}.`;
}

/** On a full disk the log ends early too. A start with less than this many free bytes fails. */
const leastFreeBytes = 2 ** 20;

function isDiskFull(dbPath: string, logPath: string, cause: unknown): boolean {
  const pattern = /No space left|ENOSPC/i;
  if (pattern.test(String(cause)) || logMatches(logPath, pattern)) return true;
  const { bavail, bsize } = statfsSync(dbPath);
  return bavail * bsize < leastFreeBytes;
}
