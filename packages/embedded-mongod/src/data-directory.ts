import { accessSync, chmodSync, constants, readdirSync, realpathSync } from "node:fs";
import { EmbeddedError, reasonOf } from "./embedded-error.ts";
import { makeFolder } from "./folders.ts";
import type { SettingNames } from "./setting-names.ts";

/**
 * Creates the data directory, for this user only.
 * @returns its absolute path with links resolved, which identifies mongod processes
 * @throws EmbeddedError when it cannot be created or written
 */
export function prepareDataDirectory(dataDir: string, settingNames?: SettingNames): string {
  try {
    makeFolder(dataDir, 0o700);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    const path = realpathSync(dataDir);
    closeToOthers(path);
    return path;
  } catch (error) {
    throw cannotBeWritten(dataDir, error, settingNames);
  }
}

/** The error of a data directory in which a file could not be written. */
export function cannotBeWritten(dataDir: string, error: unknown, settingNames?: SettingNames): EmbeddedError {
  const reason = reasonOf(error);
  const remedy =
    reason === "ENOSPC" || reason === "EDQUOT"
      ? "The disk is full: free some space, then start again."
      : `Set ${settingNames?.dataDir ?? "the data directory"} to a folder that this user may write.`;
  return new EmbeddedError(`The data directory ${dataDir} cannot be written (${reason}).`, remedy, [], error);
}

/** A folder that has other files too may be meant for others to read, so its mode stays. The data's own folder is closed. */
function closeToOthers(path: string): void {
  const isOurs = readdirSync(path).every((name) => name === "mongo" || name.startsWith("mongod."));
  if (!isOurs) return;
  try {
    chmodSync(path, 0o700);
  } catch (error) {
    // EPERM: the folder belongs to another user, as a mounted volume may.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}
