import cluster from "node:cluster";
import { misspelledVariables, readCertificate, readConfig } from "../config.ts";
import type { Log } from "../http/context.ts";
import { makeIndexes } from "../store/indexes.ts";
import { buildPages } from "./build-pages.ts";
import type { CommandError, ExitCode } from "./command-error.ts";
import { onDatabase, openDatabase } from "./database.ts";
import { databaseUnreachable, mongodLoss } from "./database-loss.ts";
import { expectedError } from "./expected-error.ts";
import { createLog, standardOutput } from "./log.ts";
import type { Running } from "./running.ts";
import { serveAsWorker } from "./serve-as-worker.ts";
import { Signals } from "./signals.ts";
import { welcome } from "./welcome.ts";
import { startWorker } from "./worker.ts";
import { killWorkers, startWorkers } from "./workers.ts";

/** A stop that takes longer than this after its drain, in milliseconds, is cut short. */
const stopTimeoutMs = 40_000;

/**
 * Runs the server until SIGINT or SIGTERM: opens the database, makes its indexes, serves with one process or several,
 * and in the end closes everything in the opposite order.
 * @returns the exit code; the process must then end, whatever still holds it
 * @throws CommandError with the reason why it could not start, or had to stop
 */
export async function serve(environment: NodeJS.ProcessEnv): Promise<ExitCode> {
  const config = readConfig(environment);
  const log = createLog(config.logLevel, await standardOutput());
  if (cluster.isWorker) return serveAsWorker(config, log);
  for (const { name, meant } of misspelledVariables(environment)) {
    log.warn({ variable: name }, `${name} is not a setting. If you meant ${meant}, set that.`);
  }
  if (config.console) buildPages(log);
  let running: Running | undefined;
  let loss: CommandError | undefined;
  const signals = new Signals({
    ...{ log, drainMs: config.drainMs, onKill: killWorkers },
    onReload: () => reloadCertificate(environment, running, log),
  });
  const onLoss = (code: number | null) => {
    loss = mongodLoss(config, code);
    log.error(loss.message);
    signals.requestStop();
  };
  const database = await openDatabase(config, "serve", { report: (line) => log.info(line), onExit: onLoss });
  try {
    // Making an index may take minutes: the connections of a worker would give up.
    await onDatabase(database.uri, makeIndexes);
    // One worker may serve requests before the others listen: from here on a stop is graceful.
    signals.started();
    const start = config.workers === 1 ? startWorker : startWorkers;
    running = await start(config, database.uri, log);
    await welcome(config, running.port, database.uri, log);
    const exitCode = await stopOnRequest(running, signals, log);
    log.info("stopped");
    if (!loss && exitCode === 3) loss = databaseUnreachable(config);
    if (!loss) return exitCode;
  } catch (error) {
    throw loss ?? expectedError(error, config);
  } finally {
    await database.stop();
  }
  throw loss;
}

async function stopOnRequest(running: Running, signals: Signals, log: Log): Promise<ExitCode> {
  const { drainMs } = await signals.stop;
  const cutShort = () => {
    log.error(`the stop took longer than ${stopTimeoutMs / 1_000} s and is cut short`);
    killWorkers();
    process.exit(1);
  };
  setTimeout(cutShort, drainMs + stopTimeoutMs).unref();
  return running.stop(drainMs);
}

/** A certificate that cannot be used is logged, and the one before stays in use. */
function reloadCertificate(environment: NodeJS.ProcessEnv, running: Running | undefined, log: Log): void {
  try {
    const certificate = readCertificate(environment);
    if (certificate) running?.reloadCertificate(certificate);
    log.info(certificate ? "reloaded the certificate" : "there is no certificate to reload");
  } catch (error) {
    log.error({ err: error }, "the certificate could not be reloaded; the one before stays in use");
  }
}
