import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import { Deadline, DeadlineExceededError } from "../deadline.ts";
import type { Log } from "../http/context.ts";
import { createService, type Service } from "../service.ts";
import { checkAvailability } from "../store/availability.ts";
import { connect, type Database } from "../store/database.ts";
import { isOutage } from "../store/outage.ts";
import type { Tracing } from "../tracing.ts";
import type { ExitCode } from "./command-error.ts";
import { listen } from "./listen.ts";
import type { Running } from "./running.ts";
import { clusterMetrics, reportMetrics } from "./worker-metrics.ts";

/** A database that is away must not hold up the stop: what is pending is written in this time, or lost. */
const writeTimeoutMs = 5_000;
const availabilityTimeoutMs = 1_000;
/** The driver tells the database that its sessions end, and waits for the answer; the process ends without it too. */
const disconnectTimeoutMs = 1_000;

/** Serves in this process. */
export async function startWorker(config: Config, databaseUri: string, log: Log): Promise<Running> {
  // Without tracing, nothing of OpenTelemetry is loaded.
  const tracing = config.tracing ? (await import("../tracing.ts")).startTracing(log) : undefined;
  const database = await connect(databaseUri, { monitorCommands: config.tracing });
  tracing?.traceCommands(database.client);
  const service = createService({
    config,
    database,
    log,
    traceRequests: tracing?.traceRequests,
    ...(cluster.isWorker && { metricsText: clusterMetrics }),
  });
  if (cluster.isWorker) reportMetrics(service.registry);
  const disconnect = () => new Deadline(disconnectTimeoutMs).race(database.client.close()).catch(() => undefined);
  try {
    const { port, reloadCertificate, close } = await listen(service, config);
    return {
      port,
      reloadCertificate,
      async stop(drainMs) {
        service.drain();
        await sleep(drainMs);
        await close();
        const exitCode = await writePending(service, database, log);
        await Promise.all([disconnect(), tracing && sendSpans(tracing, log)]);
        return exitCode;
      },
    };
  } catch (error) {
    await disconnect();
    throw error;
  }
}

async function sendSpans(tracing: Tracing, log: Log): Promise<void> {
  const sent = new Deadline(disconnectTimeoutMs).race(tracing.stop());
  await sent.catch((error) => log.warn({ err: error }, "the last spans could not be sent to the collector"));
}

async function writePending(service: Service, database: Database, log: Log): Promise<ExitCode> {
  try {
    await new Deadline(writeTimeoutMs).race(service.close());
    // Where nothing was pending, nothing failed: the exit code must not depend on that.
    const { reads } = await checkAvailability(database, availabilityTimeoutMs);
    return reads ? 0 : 3;
  } catch (error) {
    const isAway = isOutage(error) || error instanceof DeadlineExceededError;
    log.error({ err: error }, "the last view counts and uses of keys could not be written to the database");
    return isAway ? 3 : 1;
  }
}
