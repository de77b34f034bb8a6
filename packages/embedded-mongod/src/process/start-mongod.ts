import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, closeSync, openSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { SettingNames } from "../setting-names.ts";
import { mongodArguments } from "./arguments.ts";
import { watchOwner } from "./owner-watch.ts";
import { choosePrivateSocket, type PrivateSocket, removeSocketFolder } from "./private-socket.ts";
import { makePrimary, uriOf } from "./replica-set.ts";
import { startFailure } from "./start-failure.ts";
import { stopProcess } from "./stop-process.ts";

export interface StartMongodOptions {
  binary: string;
  /** Absolute, with links resolved; exists. Only this user may enter it afterwards. */
  dbPath: string;
  logPath: string;
  /** False for data that nobody keeps: majority writes do not wait for the disk. */
  durable: boolean;
  env: NodeJS.ProcessEnv;
  /** A port of 127.0.0.1 on which mongod listens as well. There every user of the machine can connect. */
  port?: number;
  /** Called with lines of progress for people. */
  report(line: string): void;
  /** Called as soon as the process exists, before it answers. */
  onSpawn?(pid: number): void;
  /** Called when mongod ends without a call of `stop`. The exit code is null when a signal ended it. */
  onExit?(code: number | null): void;
  /** A temporary folder to remove if the owner dies. mongod is then killed, not shut down. */
  removeIfOrphaned?: string;
  settingNames?: SettingNames;
}

export interface MongodProcess {
  readonly pid: number;
  /** Where mongod listens. Only this user can connect. */
  readonly socketPath: string;
  readonly uri: string;
  /** Ends mongod; resolves when it has ended, at the latest after 15 s. A second call waits for the first. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** Time limit for a start. After a crash, mongod first replays its journal. */
const startLimitMs = 120_000;

/**
 * Starts mongod as a replica set of one on a Unix socket, and waits until it accepts writes (about 1 s).
 *
 * mongod has a session of its own, because Ctrl-C goes to every process of the terminal's group and the owner still
 * writes after it. Its output goes to a file for the same reason: a pipe would break with its reader.
 * @throws EmbeddedError with the end of mongod's log
 */
export async function startMongod(options: StartMongodOptions): Promise<MongodProcess> {
  chmodSync(options.dbPath, 0o700);
  const socket = await choosePrivateSocket(options.dbPath);
  const child = launch(socket, options);
  const ended = exitOf(child);
  let isExpected = true;
  let stopping: Promise<void> | undefined;
  const stop = (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    isExpected = true;
    child.ref();
    stopping ??= stopProcess(child, signal, ended.promise);
    return stopping;
  };
  const release = guard(child, socket, options);
  void ended.promise.then((code) => {
    release();
    if (!isExpected) options.onExit?.(code);
  });
  try {
    if (child.pid !== undefined) options.onSpawn?.(child.pid);
    await waitUntilReady(socket.path, options, ended.signal);
    isExpected = false;
    return { pid: child.pid ?? 0, socketPath: socket.path, uri: uriOf(socket.path), stop };
  } catch (error) {
    await stop("SIGKILL");
    throw startFailure({ ...options, exitCode: child.exitCode, cause: error });
  }
}

function launch(socket: PrivateSocket, { binary, dbPath, logPath, env, port }: StartMongodOptions): ChildProcess {
  try {
    const args = mongodArguments({ socketPath: socket.path, dbPath, env, port });
    const log = openSync(logPath, "w", 0o600);
    const child = spawn(binary, args, { cwd: dbPath, detached: true, stdio: ["ignore", log, log] });
    closeSync(log);
    child.unref();
    return child;
  } catch (error) {
    removeSocketFolder(socket);
    throw error;
  }
}

/** `promise` resolves with the exit code; then `signal` is aborted with the reason. */
function exitOf(child: ChildProcess): { promise: Promise<number | null>; signal: AbortSignal } {
  const ended = new AbortController();
  const promise = new Promise<number | null>((resolve) => {
    child.once("exit", (code) => {
      ended.abort(new Error("mongod ended"));
      resolve(code);
    });
    child.once("error", (error) => {
      ended.abort(error);
      resolve(null);
    });
  });
  return { promise, signal: ended.signal };
}

/** Ends mongod if this process dies. @returns what to do when mongod has ended */
function guard({ pid }: ChildProcess, socket: PrivateSocket, { removeIfOrphaned }: StartMongodOptions): () => void {
  const removeFolders = [socket.temporaryFolder, removeIfOrphaned].filter((folder) => folder !== undefined);
  const signal = removeIfOrphaned === undefined ? "TERM" : "KILL";
  const watch = pid === undefined ? undefined : watchOwner(pid, { signal, removeFolders });
  return () => {
    watch?.end();
    removeSocketFolder(socket);
  };
}

async function waitUntilReady(socketPath: string, options: StartMongodOptions, ended: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(startLimitMs)]);
  const startedAt = Date.now();
  let nextReportAt = 5000;
  while (!(await accepts(socketPath))) {
    signal.throwIfAborted();
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > nextReportAt) {
      nextReportAt += 5000;
      options.report(`mongod is starting (${Math.round(waitedMs / 1000)} s)`);
    }
    await delay(20);
  }
  await makePrimary({ socketPath, durable: options.durable }, signal);
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
