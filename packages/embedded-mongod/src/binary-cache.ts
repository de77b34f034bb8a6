import { chmod, constants, copyFile, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { versionOf } from "./mongod-version.ts";

/** Where a binary of this name is kept; a cache shared between machines keeps one for each kind of machine. */
export function cachedPath(cache: string, name: string): string {
  return join(cache, `${name}-${process.platform}-${process.arch}`);
}

/**
 * Fetches a mongod into the cache. It appears there whole and proven to run, or not at all.
 * Hold the cache's lock: folders of fetches that were killed are removed here.
 * @param fetch puts a mongod somewhere, in the given empty folder if it makes files, and returns its path
 * @returns the path in the cache
 */
export async function fetchIntoCache(
  cache: string,
  name: string,
  fetch: (into: string) => Promise<string>,
): Promise<string> {
  for (const entry of await readdir(cache)) {
    if (entry.startsWith(".fetch-")) await rm(join(cache, entry), { recursive: true, force: true });
  }
  const into = await mkdtemp(join(cache, ".fetch-"));
  try {
    const found = await fetch(into);
    const ready = join(into, "mongod-ready");
    await copyFile(found, ready, constants.COPYFILE_FICLONE);
    await chmod(ready, 0o755);
    try {
      await versionOf(ready);
    } catch (error) {
      throw new Error(`the mongod it gave ${(error as Error).message}`, { cause: error });
    }
    await rename(ready, cachedPath(cache, name));
    return cachedPath(cache, name);
  } finally {
    await rm(into, { recursive: true, force: true });
  }
}

/** Makes the cache folder. @throws the file system's error */
export async function makeCache(cache: string): Promise<void> {
  await mkdir(cache, { recursive: true });
}
