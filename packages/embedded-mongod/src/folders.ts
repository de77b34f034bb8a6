import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its missing parents. `mkdirSync` with `recursive` never returns where mkdir fails with ENOENT
 * although the parent exists, as in /proc (Node 24.21).
 * @param mode of the folder itself, before the umask
 * @throws the file system's error
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path));
    // Not mkdirSync: another process may create it at the same time.
    makeFolder(path, mode);
  }
}
