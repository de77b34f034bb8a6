/** One or several processes that serve. */
export interface Running {
  readonly port: number;
  /** Stops gracefully, after `drainMs` milliseconds in which /readyz answers 503 and requests are still served. */
  stop(drainMs: number): Promise<void>;
}
