import { join } from "node:path";
import { reasonOf } from "../embedded-error.ts";
import { withFolderLock } from "../folder-lock.ts";
import { makeFolder } from "../folders.ts";
import { fetchIntoCache } from "./cache.ts";
import type { MongodBinary } from "./mongod-binary.ts";
import { searchCache } from "./search.ts";
import type { BinarySource, FetchOptions } from "./source.ts";
import { versionOf } from "./version.ts";

/**
 * Fetches a mongod from the first source that has one into the cache. Processes that start together fetch it once.
 * @param fail is told why the cache or a source gave none
 */
export async function fetchFirst(
  cache: string,
  sources: readonly BinarySource[],
  options: FetchOptions,
  fail: (reason: string) => void,
): Promise<MongodBinary | undefined> {
  try {
    makeFolder(cache);
  } catch (error) {
    fail(`${cache}: cannot be written (${reasonOf(error)}); XDG_CACHE_HOME names another folder`);
    return undefined;
  }
  const lock = { staleMs: 10_000, onWait: waitReporter(options) };
  return withFolderLock(join(cache, "fetch.lock"), lock, async () => {
    const fetchedMeanwhile = await searchCache(cache, sources, () => undefined);
    if (fetchedMeanwhile) return fetchedMeanwhile;
    for (const source of sources) {
      const fetched = await fetchFrom(source, cache, options).catch((error) =>
        fail(`${source.label}: ${reasonOf(error)}`),
      );
      if (fetched) return fetched;
    }
    return undefined;
  });
}

async function fetchFrom(source: BinarySource, cache: string, options: FetchOptions): Promise<MongodBinary> {
  const { file, label } = source;
  options.report(`${label}: trying`);
  const path = await fetchIntoCache(cache, file, (folder) => source.fetch(folder, options));
  options.report(`${label}: saved as ${path}`);
  return { path, source: label, version: await versionOf(path) };
}

/** Reports at once and every 5 s that another process is fetching. */
function waitReporter({ report }: FetchOptions): (waitedMs: number) => void {
  let nextReportAt = 0;
  return (waitedMs) => {
    if (waitedMs < nextReportAt) return;
    nextReportAt = waitedMs + 5000;
    report(`another process is fetching a mongod; waiting for it (${Math.round(waitedMs / 1000)} s)`);
  };
}
