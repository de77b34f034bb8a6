import type { Config } from "../config.ts";
import type { ExitCode } from "./command-error.ts";

/** One or several processes that serve. */
export interface Running {
  readonly port: number;
  /** Uses another certificate for the connections from now on. */
  reloadCertificate(tls: NonNullable<Config["tls"]>): void;
  /**
   * Stops gracefully, after `drainMs` milliseconds in which /readyz answers 503 and requests are still served.
   * @returns 0, or 3 where the database could not be reached in the end
   */
  stop(drainMs: number): Promise<ExitCode>;
}
