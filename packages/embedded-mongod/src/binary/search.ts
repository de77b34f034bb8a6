import { access, constants } from "node:fs/promises";
import { delimiter, resolve } from "node:path";
import { cachedPath } from "./cache.ts";
import type { MongodBinary } from "./mongod-binary.ts";
import type { BinarySource } from "./source.ts";
import { versionOf } from "./version.ts";

/**
 * The first usable mongod of a PATH.
 * @param skip is told of each unusable one
 */
export async function searchPath(path: string, skip: (reason: string) => void): Promise<MongodBinary | undefined> {
  for (const folder of path.split(delimiter).filter((entry) => entry !== "")) {
    const file = resolve(folder, "mongod");
    if (!(await isAccessible(file, constants.X_OK))) continue;
    try {
      return { path: file, source: "PATH", version: await versionOf(file) };
    } catch (error) {
      skip(`${file}, on the PATH, ${(error as Error).message}; skipped`);
    }
  }
  return undefined;
}

/**
 * The first usable mongod of a cache folder, in the order of the sources.
 * @param skip is told of each unusable one
 */
export async function searchCache(
  cache: string,
  sources: readonly BinarySource[],
  skip: (reason: string) => void,
): Promise<MongodBinary | undefined> {
  for (const source of sources) {
    const path = cachedPath(cache, source.file);
    if (!(await isAccessible(path))) continue;
    try {
      return { path, source: source.label, version: await versionOf(path) };
    } catch (error) {
      skip(`${path}, fetched earlier, ${(error as Error).message}; skipped`);
    }
  }
  return undefined;
}

function isAccessible(path: string, mode?: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
