import type { Config } from "../config.ts";
import type { Log } from "../http/context.ts";
import { banner } from "./banner.ts";
import { onDatabase } from "./database.ts";
import { createDemo, createDemoFile, needsDemo } from "./demo.ts";
import { pageOrigin } from "./invite.ts";

/**
 * Tells that the server listens: by a banner on a terminal, else by lines of the log. Demo accounts are created last,
 * when nothing can come between their keys and links and their reader any more; a log never has them, so a file does.
 */
export async function welcome(config: Config, port: number, uri: string, log: Log): Promise<void> {
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const base = `${config.tls ? "https" : "http"}://${host}:${port}/v1`;
  const create = () => onDatabase(uri, (database) => createDemo(database, pageOrigin(config, port)));
  const isDemo = config.demo && (await onDatabase(uri, needsDemo));
  if (process.stdout.isTTY) {
    console.log(banner(base, config, isDemo ? await create() : null));
  } else if (isDemo) {
    const file = createDemoFile(config);
    file.write(base, await create());
    log.info({ file: file.path }, "the keys and sign-in links of the demo accounts are in this file");
  }
  log.info({ port, host: config.host, workers: config.workers, base }, "listening");
}
