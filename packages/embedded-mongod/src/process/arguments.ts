import { totalmem } from "node:os";
import { EmbeddedError } from "../embedded-error.ts";
import { replicaSetName } from "./replica-set.ts";

const parameters = {
  // Locks of a transaction whose client was killed are released after this time. mongod's default is 60 s.
  transactionLifetimeLimitSeconds: 10,
  // On SIGTERM a primary waits up to 15 s for a secondary to catch up. There is none.
  shutdownTimeoutMillisForSignaledShutdown: 100,
  diagnosticDataCollectionEnabled: false,
};

export interface MongodArguments {
  socketPath: string;
  dbPath: string;
  env: NodeJS.ProcessEnv;
  /** Of 127.0.0.1; none where it is undefined. */
  port: number | undefined;
}

/** The command line of mongod. @throws EmbeddedError when MONGOD_CACHE_GB is not a number from 0.25 to 10000 */
export function mongodArguments({ socketPath, dbPath, env, port }: MongodArguments): string[] {
  return [
    // --nounixsocket: no second socket in /tmp.
    ...["--bind_ip", port === undefined ? socketPath : `${socketPath},127.0.0.1`, "--nounixsocket"],
    // Without `port`, nothing listens on one. But if the port were that of a member's address without one, 27017, mongod
    // would look the path of the socket up in the DNS, for up to 15 s.
    ...["--port", String(port ?? 27_018)],
    ...["--dbpath", dbPath, "--replSet", replicaSetName, "--storageEngine", "wiredTiger"],
    // In megabytes. The default is 5 % of the free disk space, up to 50 GB, for secondaries that do not exist.
    ...["--oplogSize", "1024", "--wiredTigerCacheSizeGB", cacheGigabytes(env)],
    // The log is never rotated while mongod runs: no line per connection, none for queries under 1 s.
    ...["--quiet", "--slowms", "1000"],
    ...Object.entries(parameters).flatMap(([name, value]) => ["--setParameter", `${name}=${value}`]),
  ];
}

/** WiredTiger's cache: MONGOD_CACHE_GB, else 1 GB or a quarter of the memory if that is less. The minimum is 0.25 GB. */
function cacheGigabytes(env: NodeJS.ProcessEnv): string {
  const given = env.MONGOD_CACHE_GB;
  if (!given) return Math.max(0.25, Math.min(1, totalmem() / 4 / 2 ** 30)).toFixed(2);
  if (Number(given) >= 0.25 && Number(given) <= 10_000) return given;
  throw new EmbeddedError(
    `MONGOD_CACHE_GB is "${given}", which is not a number of gigabytes.`,
    "Set it to a number from 0.25 to 10000, or unset it for 1.",
  );
}
