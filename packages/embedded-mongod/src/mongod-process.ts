import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { connect, createServer } from "node:net";
import { totalmem } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { EmbeddedError } from "./embedded-error.ts";
import { endOfLog, logSays } from "./mongod-log.ts";
import { type OwnerWatch, watchOwner } from "./owner-watch.ts";
import { makePrimary, setName, uriOf } from "./replica-set.ts";

export interface MongodStart {
  binary: string;
  /** Absolute, links resolved; exists. */
  dbPath: string;
  logPath: string;
  /** False for data that nobody keeps: faster, and nothing survives the owner. */
  durable: boolean;
  env: NodeJS.ProcessEnv;
  report(line: string): void;
  /** Told as soon as there is a process, before it answers. */
  onSpawn?(pid: number, port: number): void;
  /** Told when mongod ends although nobody called `stop`; null when a signal ended it. */
  onExit?(code: number | null): void;
  /** A temporary folder to remove if the owner dies. */
  removeIfOrphaned?: string;
}

export interface MongodProcess {
  readonly pid: number;
  readonly port: number;
  readonly uri: string;
  /** Ends mongod and resolves when it is gone. A second call waits for the first. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** mongod found its port taken. Nobody outside this file sees it. */
class PortTaken extends Error {}

/** Milliseconds a start may take; after a crash mongod first replays its journal. */
const startLimit = 120_000;
/** Milliseconds a clean shutdown may take (0.7 s is usual) before it is killed; the journal loses nothing. */
const stopLimit = 20_000;

/**
 * Starts mongod as a replica set of one, on 127.0.0.1 and a free port, and waits until it takes writes (about 1 s).
 *
 * It is spawned here and not by mongodb-memory-server because it must have a session of its own: Ctrl-C goes to every
 * process of the terminal's group, and the server still has to write its last things after it. Its output goes to a
 * file for the same reason: a pipe would break with its reader.
 * @throws EmbeddedError with the end of mongod's log
 */
export async function startMongod(start: MongodStart): Promise<MongodProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(await freePort(), start);
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error;
      if (attempt === 5)
        throw new EmbeddedError("mongod found five ports taken, one after another.", "Try again.", [], error);
    }
  }
}

async function startOn(port: number, start: MongodStart): Promise<MongodProcess> {
  const child = launch(port, start);
  const gone = new AbortController();
  let stopping: Promise<void> | undefined;
  let started = false;
  let watch: OwnerWatch | undefined;
  const exited = new Promise<void>((resolve) => {
    child.once("exit", (code) => {
      watch?.end();
      gone.abort(new Error("mongod ended"));
      resolve();
      if (started && !stopping) start.onExit?.(code);
    });
    child.once("error", (error) => {
      gone.abort(error);
      resolve();
    });
  });
  const stop = (signal: NodeJS.Signals): Promise<void> => (stopping ??= endChild(child, signal, exited));
  if (child.pid === undefined) {
    await exited;
    throw failure(start, child, gone.signal.reason);
  }
  watch = watchOwner(child.pid, start.removeIfOrphaned);
  child.unref();
  try {
    start.onSpawn?.(child.pid, port);
    await ready(port, start, gone.signal);
    started = true;
    return { pid: child.pid, port, uri: uriOf(port), stop };
  } catch (error) {
    await stop("SIGKILL");
    throw failure(start, child, error);
  }
}

function launch(port: number, { binary, dbPath, logPath, env }: MongodStart): ChildProcess {
  const parameters = {
    // A transaction whose server was killed holds its documents this long; the default is 60 s.
    transactionLifetimeLimitSeconds: 10,
    // On SIGTERM a primary waits up to 15 s for a secondary to catch up; there is none.
    shutdownTimeoutMillisForSignaledShutdown: 100,
    diagnosticDataCollectionEnabled: false,
  };
  const args = [
    ...["--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket"],
    ...["--dbpath", dbPath, "--replSet", setName, "--storageEngine", "wiredTiger"],
    // The oplog would take a twentieth of the free disk, up to 50 GB, to feed secondaries that don't exist. Megabytes.
    ...["--oplogSize", "1024", "--wiredTigerCacheSizeGB", cacheGigabytes(env)],
    // The log grows for as long as the server runs: no line for each connection, none for 100 ms queries.
    ...["--quiet", "--slowms", "1000"],
    ...Object.entries(parameters).flatMap(([name, value]) => ["--setParameter", `${name}=${value}`]),
  ];
  const log = openSync(logPath, "w");
  try {
    return spawn(binary, args, { cwd: dbPath, detached: true, stdio: ["ignore", log, log] });
  } finally {
    closeSync(log);
  }
}

/** WiredTiger's cache: MONGOD_CACHE_GB, else 1 GB, on small machines a quarter of the memory; mongod's least is 0.25. */
function cacheGigabytes(env: NodeJS.ProcessEnv): string {
  const given = env.MONGOD_CACHE_GB;
  if (!given) return Math.max(0.25, Math.min(1, totalmem() / 4 / 2 ** 30)).toFixed(2);
  if (Number(given) >= 0.25 && Number(given) <= 10_000) return given;
  throw new EmbeddedError(
    `MONGOD_CACHE_GB is "${given}", which is not a number of gigabytes.`,
    "Set it to a number from 0.25 to 10000, or unset it for 1.",
  );
}

async function ready(port: number, start: MongodStart, gone: AbortSignal): Promise<void> {
  const began = Date.now();
  let told = 5000;
  while (!(await accepts(port))) {
    gone.throwIfAborted();
    const waited = Date.now() - began;
    if (waited > startLimit) throw new Error(`no answer for ${startLimit / 1000} s`);
    if (waited > told) {
      told += 5000;
      start.report(`mongod is starting (${Math.round(waited / 1000)} s)`);
    }
    await pause(20);
  }
  await makePrimary(
    { port, dbPath: start.dbPath, durable: start.durable },
    AbortSignal.any([gone, AbortSignal.timeout(startLimit)]),
  );
}

function failure(start: MongodStart, child: ChildProcess, error: unknown): Error {
  if (logSays(start.logPath, /address already in use/i) || /another mongod answers/.test(String(error))) {
    return new PortTaken("port taken", { cause: error });
  }
  const end = child.exitCode === null ? "" : ` (exit code ${child.exitCode})`;
  const wrong = `mongod (${start.binary}) did not start on ${start.dbPath}${end}:`;
  const lines = endOfLog(start.logPath);
  const details = lines.length > 0 ? lines : [String(error)];
  return new EmbeddedError(wrong, remedyFor(start), details, error);
}

function remedyFor({ logPath, dbPath }: MongodStart): string {
  if (logSays(logPath, /DBPathInUse|already running on the/)) {
    return `Another mongod serves ${dbPath}: stop it, or choose another data directory.`;
  }
  if (
    logSays(
      logPath,
      /featureCompatibilityVersion|Wrong mongod version|UPGRADE PROBLEM|unsupported WiredTiger file version/i,
    )
  ) {
    return `The data were written by another version of mongod: set MONGOD_BINARY to that one, or choose another data directory.`;
  }
  if (logSays(logPath, /No space left|ENOSPC/i)) return "The disk is full: make room, then start again.";
  return `Read ${logPath}, or set MONGODB_URI to use another database.`;
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals, exited: Promise<void>): Promise<void> {
  child.ref();
  child.kill(signal);
  const limit = setTimeout(() => child.kill("SIGKILL"), stopLimit);
  await exited;
  clearTimeout(limit);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
