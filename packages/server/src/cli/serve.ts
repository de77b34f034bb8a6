import cluster from "node:cluster";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { connect, type Database } from "../store/database.ts";
import { makeIndexes } from "../store/indexes.ts";
import { openDatabase, requireTransactions } from "./database.ts";
import { type DemoKeys, makeDemo } from "./demo.ts";
import { createLog } from "./log.ts";
import { startWorker } from "./worker.ts";
import { type StartMessage, startWorkers } from "./workers.ts";

/**
 * Runs the server until SIGINT or SIGTERM: opens the database, makes its indexes, serves with one process or several,
 * and in the end lets go of everything in the opposite order.
 */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(environment);
  if (cluster.isWorker) return serveAsWorker(config);
  const log = createLog(config.logLevel);
  const stopping = Promise.withResolvers<number>();
  const stopOn = (signal: NodeJS.Signals, drainMs: number) =>
    process.on(signal, () => {
      log.info({ signal }, "stopping");
      stopping.resolve(drainMs);
    });
  stopOn("SIGTERM", config.drainMs);
  stopOn("SIGINT", 0);

  let lost = false;
  const opened = await openDatabase(config, "serve", () => {
    lost = true;
    log.error("the embedded mongod ended by itself; see mongod.log in DATA_DIR");
    stopping.resolve(0);
  });
  try {
    await withPatientDatabase(opened.uri, async (database) => {
      await requireTransactions(database);
      await makeIndexes(database);
    });
    const start = config.workers === 1 ? startWorker : startWorkers;
    const running = await start({ ...config, mongodbUri: opened.uri }, log);
    // Keys that are shown once are made when nothing can come between them and the screen any more.
    const demo = config.demo ? await withPatientDatabase(opened.uri, makeDemo) : null;
    greet(config, running.port, demo);
    log.info({ port: running.port, host: config.host, workers: config.workers }, "listening");
    await running.stop(await stopping.promise);
  } catch (error) {
    throw friendly(error, config);
  } finally {
    await opened.stop();
  }
  log.info("stopped");
  process.exit(lost ? 3 : 0);
}

async function serveAsWorker(config: Config): Promise<void> {
  // The primary process says when, perhaps before this one has started; a terminal's Ctrl-C is left to it.
  const stopping = Promise.withResolvers<number>();
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => undefined);
  process.on("message", ({ stop }: { stop?: number }) => {
    if (stop !== undefined) stopping.resolve(stop);
  });
  process.on("disconnect", () => stopping.resolve(0));
  const running = await startWorker(config, createLog(config.logLevel)).catch(tellPrimary);
  await running.stop(await stopping.promise);
  process.exit(0);
}

/** The primary process says what went wrong, once for all workers. */
function tellPrimary(error: NodeJS.ErrnoException): Promise<never> {
  const told: StartMessage = { unstarted: { message: error.message, code: error.code } };
  return new Promise(() => process.send?.(told, undefined, undefined, () => process.exit(1)));
}

/** Does work that may take minutes. */
async function withPatientDatabase<Result>(
  uri: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await connect(uri, { patient: true });
  try {
    return await work(database);
  } finally {
    await database.client.close();
  }
}

function greet(config: Config, port: number, demo: DemoKeys | null): void {
  if (!config.demo && !process.stdout.isTTY) return;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const base = `${config.tls ? "https" : "http"}://${host}:${port}/v1`;
  const key = demo?.developer ?? "$KEY";
  // The commands open the same folder only where they are told of it.
  const dataDir = config.dataDir === ".data" ? "" : `DATA_DIR='${config.dataDir}' `;
  const keys = demo
    ? ["Demo keys, shown this once (team plan):", `  developer  ${demo.developer}`, `  tester     ${demo.tester}`]
    : [
        "Keys were shown when they were made. For another one:",
        `  ${dataDir}npx -y pnpm@12 -s project-feedback accounts list`,
        `  ${dataDir}npx -y pnpm@12 -s project-feedback keys create --account ID`,
      ];
  const lines = [
    "",
    `Project Feedback Service: ${base}`,
    "",
    ...keys,
    "",
    demo ? "Try it:" : "Try it, after KEY=pfs_... (a developer's key):",
    `  curl -s ${base}/projects -H 'Content-Type: application/json' -H "Authorization: Bearer ${key}" -d '{"title":"Pocket Garden","description":"Plan beds for small gardens.","category":"mobile"}'`,
    `  curl -s ${base}/projects -H "Authorization: Bearer ${key}"`,
    "",
    "Ctrl-C stops it; the data stays.",
    "",
  ];
  console.log(lines.join("\n"));
}

function friendly(error: unknown, { host, port }: Config): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new ConfigError(`Port ${port} is in use. Stop what uses it, or set PORT to another.`);
  if (code === "EACCES")
    return new ConfigError(`Port ${port} may not be used by this user. Set PORT to one above 1023.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new ConfigError(`HOST ${host} is no address of this machine. Set HOST to one that is.`);
  }
  return error;
}
