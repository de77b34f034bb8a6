import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import type { Config } from "../config.ts";
import type { Log } from "../http/context.ts";
import type { Running } from "./running.ts";
import { serveMetricsTo } from "./worker-metrics.ts";

/** A worker that ended by itself is replaced after this many milliseconds. */
const replaceAfterMs = 500;
/** A worker that has not ended so many milliseconds after its drain is killed; running requests get 30 s of them. */
const longestStopMs = 40_000;

/** What a worker says that cannot start. */
export interface StartMessage {
  readonly unstarted?: { readonly message: string; readonly code: string | undefined };
}

/** Serves in `WORKERS` processes that share the port; one that dies is replaced. */
export async function startWorkers(config: Config, log: Log): Promise<Running> {
  let stopping = false;
  cluster.setupPrimary({ args: ["serve"] });
  const fork = (): Worker => {
    const worker = cluster.fork({ MONGODB_URI: config.mongodbUri });
    serveMetricsTo(worker);
    return worker;
  };
  cluster.on("exit", ({ process: { pid } }, code, signal) => {
    if (stopping) return;
    log.error({ worker: pid, code, signal }, "a worker ended by itself; another takes its place");
    setTimeout(() => stopping || fork(), replaceAfterMs);
  });
  const first = Array.from({ length: config.workers }, fork);
  const ports = await Promise.all(first.map(portOf)).catch((error) => {
    stopping = true;
    for (const worker of first) worker.process.kill("SIGKILL");
    throw error;
  });
  return {
    port: ports[0] ?? config.port,
    async stop(drainMs) {
      stopping = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(
        workers.map(async (worker) => {
          if (worker.isDead()) return;
          const ended = once(worker, "exit");
          // What cannot be said to a worker that dies at this moment needs no answer.
          if (worker.isConnected()) worker.send({ stop: drainMs }, () => undefined);
          const late = setTimeout(() => worker.process.kill("SIGKILL"), drainMs + longestStopMs);
          await ended;
          clearTimeout(late);
        }),
      );
    },
  };
}

/** @throws what kept the worker from listening */
async function portOf(worker: Worker): Promise<number> {
  const ended = once(worker, "exit").then(([code, signal]) => {
    throw new Error(`A worker ended (${signal ?? `code ${code}`}) before it listened.`);
  });
  const failed = new Promise<never>((_, reject) => {
    worker.on("message", ({ unstarted }: StartMessage) => {
      if (unstarted) reject(Object.assign(new Error(unstarted.message), { code: unstarted.code }));
    });
  });
  const [address] = await Promise.race([once(worker, "listening"), failed, ended]);
  return (address as { port: number }).port;
}
