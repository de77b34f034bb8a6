import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "../config.ts";
import { withoutKeys } from "../domain/key.ts";

/**
 * JSON lines on standard output, written together within 200 ms: a write for each line was 13 % of the server's time.
 * What carries a key or a body is not logged in the first place; the hook is the net below, for a key anywhere in a line.
 */
export function createLog(level: Config["logLevel"], destination: DestinationStream = standardOutput()): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: withoutKeys },
  };
  return pino(options, destination);
}

/** pino writes what is left when the process exits. */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 200 });
}
