import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildProgram, builtFolder, readFiles } from "@project-feedback/console";
import type { Log } from "../http/context.ts";

/** Builds the pages in a process beside the start, if they are not built. The server does not wait for them. */
export function buildPages(log: Log): void {
  if (readFiles(builtFolder())) return;
  log.info("the pages for people are being built");
  const began = performance.now();
  const builder = spawn(process.execPath, [fileURLToPath(buildProgram)], { stdio: ["ignore", "ignore", "pipe"] });
  const output: Buffer[] = [];
  builder.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  const stop = () => builder.kill();
  process.once("exit", stop);
  builder.once("close", (code) => {
    process.off("exit", stop);
    if (code === 0) return log.info({ seconds: Math.round(performance.now() - began) / 1_000 }, "built the pages");
    const said = Buffer.concat(output).toString();
    log.error({ code, said }, "the pages could not be built; /settings and /docs are missing until the next start");
  });
  builder.once("error", (err) => log.error({ err }, "the pages could not be built: their program did not start"));
  builder.unref();
}
