import type { Config } from "../config.ts";
import type { Log } from "../http/context.ts";
import { banner } from "./banner.ts";
import { onDatabase } from "./database.ts";
import { createDemo, createDemoKeyFile, needsDemo } from "./demo.ts";

/**
 * Tells that the server listens: by a banner on a terminal, else by lines of the log. Demo accounts are created last,
 * when nothing can come between their keys and their reader any more; a log never has keys, so a file takes them.
 */
export async function welcome(config: Config, port: number, uri: string, log: Log): Promise<void> {
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const base = `${config.tls ? "https" : "http"}://${host}:${port}/v1`;
  const isDemo = config.demo && (await onDatabase(uri, needsDemo));
  if (process.stdout.isTTY) {
    console.log(banner(base, config, isDemo ? await onDatabase(uri, createDemo) : null));
  } else if (isDemo) {
    const file = createDemoKeyFile(config);
    file.write(base, await onDatabase(uri, createDemo));
    log.info({ file: file.path }, "the keys of the demo accounts are in this file");
  }
  log.info({ port, host: config.host, workers: config.workers, base }, "listening");
}
