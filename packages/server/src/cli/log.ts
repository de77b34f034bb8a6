import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "../config.ts";
import { withoutSecrets } from "../domain/secret.ts";

/**
 * JSON lines on standard output, written together within 200 ms: a write for each line was 13 % of the server's time.
 * What carries a key or a body is not logged in the first place; the hook removes
 * a key, a link or a session that is anywhere in a line.
 */
export function createLog(level: Config["logLevel"], destination: DestinationStream = jsonLines()): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: withoutSecrets },
  };
  return pino(options, destination);
}

/** Text for people on a terminal, JSON lines for programs. */
export async function standardOutput(): Promise<DestinationStream> {
  if (!process.stdout.isTTY) return jsonLines();
  const { default: pretty } = await import("pino-pretty");
  return pretty({ sync: true, singleLine: true, ignore: "pid", translateTime: "SYS:HH:MM:ss" });
}

/** pino writes what is left when the process exits. */
function jsonLines(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 200 });
}
