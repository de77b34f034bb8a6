import type { Config } from "../config.ts";
import type { Log } from "../http/context.ts";
import { CommandError, type ExitCode } from "./command-error.ts";
import { expectedError } from "./expected-error.ts";
import { startWorker } from "./worker.ts";
import { embeddedMarker, type StartFailure, type WorkerCommand } from "./workers.ts";

/** Serves as one of several processes, until the primary process says stop or ends. */
export async function serveAsWorker(config: Config, log: Log): Promise<ExitCode> {
  const stop = Promise.withResolvers<number>();
  // A terminal's Ctrl-C and hangup reach every process; only the primary acts on them.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("disconnect", () => stop.resolve(0));
  // The primary may send its command before this process serves.
  process.on("message", (command: WorkerCommand) => {
    if (command.stop !== undefined) stop.resolve(command.stop);
  });
  const { mongodbUri } = config;
  if (mongodbUri === undefined) throw new Error("A worker is given its database.");
  const place = process.env[embeddedMarker] ? { ...config, mongodbUri: undefined } : config;
  const running = await startWorker(config, mongodbUri, log).catch((error) =>
    reportFailure(expectedError(error, place)),
  );
  process.on("message", ({ certificate }: WorkerCommand) => {
    if (certificate) running.reloadCertificate(certificate);
  });
  return running.stop(await stop.promise);
}

/** The primary process prints what went wrong, once for all workers. */
function reportFailure(error: unknown): Promise<never> {
  const exitCode = error instanceof CommandError ? error.exitCode : 1;
  const report: StartFailure = { failure: { message: (error as Error).message, exitCode } };
  return new Promise(() => process.send?.(report, undefined, undefined, () => process.exit(exitCode)));
}
