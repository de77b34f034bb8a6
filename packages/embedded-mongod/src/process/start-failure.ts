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
export function startFailure({ binary, dbPath, logPath, settingNames, exitCode, cause }: FailedStart): EmbeddedError {
  const exit = exitCode === null ? "" : ` (exit code ${exitCode})`;
  const lines = endOfLog(logPath);
  return new EmbeddedError(
    `mongod (${binary}) did not start on ${dbPath}${exit}:`,
    remedyFor(logPath, dbPath, settingNames),
    lines.length > 0 ? lines : [String(cause)],
    cause,
  );
}

const versionMismatch =
  /featureCompatibilityVersion|Wrong mongod version|UPGRADE PROBLEM|unsupported WiredTiger file version/i;

function remedyFor(logPath: string, dbPath: string, { uri }: SettingNames = {}): string {
  if (logMatches(logPath, /DBPathInUse|already running on the/)) {
    return `Another mongod serves ${dbPath}: stop it, or choose another data directory.`;
  }
  if (logMatches(logPath, versionMismatch)) {
    return "The data was written by another version of mongod: set MONGOD_BINARY to that version, or choose another data directory.";
  }
  if (logMatches(logPath, /No space left|ENOSPC/i)) return "The disk is full: free some space, then start again.";
  return uri ? `Read ${logPath}, or set ${uri} to use another database.` : `Read ${logPath}.`;
}
