import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { EmbeddedError } from "../embedded-error.ts";
import type { SettingNames } from "../setting-names.ts";
import { mongodArguments } from "./arguments.ts";
import { logMatches } from "./log.ts";
import { type OwnerWatch, watchOwner } from "./owner-watch.ts";
import { makePrimary, uriOf } from "./replica-set.ts";
import { startFailure } from "./start-failure.ts";

export interface StartMongodOptions {
  binary: string;
  /** Absolute, with links resolved; exists. */
  dbPath: string;
  logPath: string;
  /** False for data that nobody keeps: faster, and mongod is not waited for when it stops. */
  durable: boolean;
  env: NodeJS.ProcessEnv;
  /** Called with lines of progress for people. */
  report(line: string): void;
  /** Called as soon as the process exists, before it answers. */
  onSpawn?(pid: number, port: number): void;
  /** Called when mongod ends without a call of `stop`. The exit code is null when a signal ended it. */
  onExit?(code: number | null): void;
  /** A temporary folder to remove if the owner dies. */
  removeIfOrphaned?: string;
  settingNames?: SettingNames;
}

export interface MongodProcess {
  readonly pid: number;
  readonly port: number;
  readonly uri: string;
  /** Ends mongod and resolves when it has ended. A second call waits for the first. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** mongod found its port taken. Not seen outside this file. */
class PortTaken extends Error {}

/** Time limit for a start. After a crash, mongod first replays its journal. */
const startLimitMs = 120_000;
/** Time limit for a clean shutdown, which usually takes 0.7 s. After it mongod is killed; the journal loses nothing. */
const stopLimitMs = 20_000;

/**
 * Starts mongod as a replica set of one, on 127.0.0.1 and a free port, and waits until it accepts writes (about 1 s).
 *
 * mongod has a session of its own, because Ctrl-C goes to every process of the terminal's group and the owner still
 * writes after it. Its output goes to a file for the same reason: a pipe would
 * break with its reader.
 * @throws EmbeddedError with the end of mongod's log
 */
export async function startMongod(options: StartMongodOptions): Promise<MongodProcess> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    try {
      return await startOn(await freePort(), options);
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error;
    }
  }
  throw new EmbeddedError("Five ports in a row were taken before mongod could use them.", "Try again.");
}

async function startOn(port: number, options: StartMongodOptions): Promise<MongodProcess> {
  const child = launch(port, options);
  const ended = new AbortController();
  let stopping: Promise<void> | undefined;
  let started = false;
  let watch: OwnerWatch | undefined;
  const exited = new Promise<void>((resolve) => {
    child.once("exit", (code) => {
      watch?.end();
      ended.abort(new Error("mongod ended"));
      resolve();
      if (started && !stopping) options.onExit?.(code);
    });
    child.once("error", (error) => {
      ended.abort(error);
      resolve();
    });
  });
  const stop = (signal: NodeJS.Signals): Promise<void> => (stopping ??= endChild(child, signal, exited));
  if (child.pid === undefined) {
    await exited;
    throw failure(options, child, ended.signal.reason);
  }
  watch = watchOwner(child.pid, options.removeIfOrphaned);
  child.unref();
  try {
    options.onSpawn?.(child.pid, port);
    await waitUntilReady(port, options, ended.signal);
    started = true;
    return { pid: child.pid, port, uri: uriOf(port), stop };
  } catch (error) {
    await stop("SIGKILL");
    throw failure(options, child, error);
  }
}

function launch(port: number, { binary, dbPath, logPath, env }: StartMongodOptions): ChildProcess {
  const args = mongodArguments(port, dbPath, env);
  const log = openSync(logPath, "w");
  try {
    return spawn(binary, args, { cwd: dbPath, detached: true, stdio: ["ignore", log, log] });
  } finally {
    closeSync(log);
  }
}

async function waitUntilReady(port: number, options: StartMongodOptions, ended: AbortSignal): Promise<void> {
  const startedAt = Date.now();
  let nextReportAt = 5000;
  while (!(await accepts(port))) {
    ended.throwIfAborted();
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > startLimitMs) throw new Error(`no answer for ${startLimitMs / 1000} s`);
    if (waitedMs > nextReportAt) {
      nextReportAt += 5000;
      options.report(`mongod is starting (${Math.round(waitedMs / 1000)} s)`);
    }
    await delay(20);
  }
  const { dbPath, durable } = options;
  await makePrimary({ port, dbPath, durable }, AbortSignal.any([ended, AbortSignal.timeout(startLimitMs)]));
}

function failure(options: StartMongodOptions, { exitCode }: ChildProcess, cause: unknown): Error {
  if (logMatches(options.logPath, /address already in use/i) || /another mongod answers/.test(String(cause))) {
    return new PortTaken("port taken", { cause });
  }
  return startFailure({ ...options, exitCode, cause });
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals, exited: Promise<void>): Promise<void> {
  child.ref();
  child.kill(signal);
  const limit = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
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
