import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { Registry } from "prom-client";
import type { Config } from "../config.ts";
import type { Log } from "../http/context.ts";
import { createWorkerRestarts } from "../metrics.ts";
import { CommandError, type ExitCode } from "./command-error.ts";
import type { Running } from "./running.ts";
import { serveMetricsTo } from "./worker-metrics.ts";

/** A worker that ended by itself is replaced after this many milliseconds. */
const replaceAfterMs = 500;
/** A worker that has not ended so many milliseconds after its drain is killed; running requests get 30 s of them. */
const stopTimeoutMs = 37_000;

/** Tells a worker that its database is the embedded one, for its messages: its MONGODB_URI is not the operator's. */
export const embeddedMarker = "EMBEDDED_MONGOD";

/** From a worker that cannot start, to the primary process. */
export interface StartFailure {
  readonly failure?: { readonly message: string; readonly exitCode: ExitCode };
}

/** From the primary process, to a worker. */
export interface WorkerCommand {
  /** Stop after a drain of so many milliseconds. */
  readonly stop?: number;
  readonly certificate?: NonNullable<Config["tls"]>;
}

/** Serves in `WORKERS` processes that share the port; one that dies is replaced. */
export async function startWorkers(config: Config, databaseUri: string, log: Log): Promise<Running> {
  const registry = new Registry();
  const restarts = createWorkerRestarts(registry);
  let stopping = false;
  cluster.setupPrimary({ args: ["serve"] });
  const fork = (): Worker => {
    const worker = cluster.fork({
      MONGODB_URI: databaseUri,
      MONGODB_URI_FILE: "",
      [embeddedMarker]: config.mongodbUri === undefined ? "1" : "",
    });
    serveMetricsTo(worker, registry);
    return worker;
  };
  cluster.on("exit", ({ process: { pid } }, code, signal) => {
    if (stopping) return;
    log.error({ worker: pid, code, signal }, "a worker ended by itself; another takes its place");
    restarts.inc();
    setTimeout(() => stopping || fork(), replaceAfterMs);
  });
  const ports = await Promise.all(Array.from({ length: config.workers }, () => portOf(fork()))).catch((error) => {
    stopping = true;
    killWorkers();
    throw error;
  });
  return {
    port: ports[0] ?? config.port,
    reloadCertificate(certificate) {
      for (const worker of workers()) send(worker, { certificate });
    },
    async stop(drainMs) {
      stopping = true;
      const exitCodes = await Promise.all(workers().map((worker) => stopWorker(worker, drainMs)));
      return exitCodes.find((code) => code !== 0) ?? 0;
    },
  };
}

/** Ends all workers at once. */
export function killWorkers(): void {
  for (const worker of workers()) worker.process.kill("SIGKILL");
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

/** A command to a worker that dies at this moment is dropped. */
function send(worker: Worker, command: WorkerCommand): void {
  if (worker.isConnected()) worker.send(command, () => undefined);
}

async function stopWorker(worker: Worker, drainMs: number): Promise<ExitCode> {
  if (worker.isDead()) return 0;
  const ended = once(worker, "exit");
  send(worker, { stop: drainMs });
  const late = setTimeout(() => worker.process.kill("SIGKILL"), drainMs + stopTimeoutMs);
  const [code] = await ended;
  clearTimeout(late);
  return code === 0 || code === 3 ? code : 1;
}

/** @throws what kept the worker from listening */
async function portOf(worker: Worker): Promise<number> {
  const ended = once(worker, "exit").then(([code, signal]) => {
    throw new Error(`A worker ended (${signal ?? `code ${code}`}) before it listened.`);
  });
  const failed = new Promise<never>((_, reject) => {
    worker.on("message", ({ failure }: StartFailure) => {
      if (failure) reject(new CommandError(failure.message, failure.exitCode));
    });
  });
  const [address] = await Promise.race([once(worker, "listening"), failed, ended]);
  return (address as { port: number }).port;
}
