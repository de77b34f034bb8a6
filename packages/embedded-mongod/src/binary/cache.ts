import { chmod, constants, copyFile, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { versionOf } from "./version.ts";

/** The folder that keeps fetched binaries, shared by all programs of this user. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"), "embedded-mongod");
}

/** The path of a cached binary. Machines of different kinds can share a cache folder. */
export function cachedPath(cache: string, file: string): string {
  return join(cache, `${file}-${process.platform}-${process.arch}`);
}

/**
 * Fetches a mongod into the cache. It appears there only when it is complete and has been run.
 * The caller holds the lock of the cache: folders left by fetches that were killed are removed.
 * @param fetch saves a mongod, creating files only in the given empty folder, and returns its path
 * @returns the path in the cache
 */
export async function fetchIntoCache(
  cache: string,
  file: string,
  fetch: (folder: string) => Promise<string>,
): Promise<string> {
  for (const entry of await readdir(cache)) {
    if (entry.startsWith(".fetch-")) await rm(join(cache, entry), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(cache, ".fetch-"));
  try {
    const ready = join(folder, "mongod-ready");
    await copyFile(await fetch(folder), ready, constants.COPYFILE_FICLONE);
    await chmod(ready, 0o755);
    await requireUsable(ready);
    await rename(ready, cachedPath(cache, file));
    return cachedPath(cache, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function requireUsable(mongod: string): Promise<void> {
  try {
    await versionOf(mongod);
  } catch (error) {
    throw new Error(`the fetched mongod ${(error as Error).message}`, { cause: error });
  }
}
