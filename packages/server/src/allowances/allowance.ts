/** An allowance as a caller sees it (S-RATE-1, C-RATE-1). */
export interface Allowance {
  /** Requests in a window. */
  readonly limit: number;
  /** Requests left in the window. */
  readonly remaining: number;
  /** When the window ends: Unix time, seconds. */
  readonly reset: number;
}

/** Whether a request is within its allowance. */
export interface RateLimitResult extends Allowance {
  readonly admitted: boolean;
  /** Seconds until the window ends. */
  readonly secondsLeft: number;
}

/** The response of the store to a process that takes from an allowance. */
export interface Grant {
  /** Requests granted to this process just now; 0 when none was left. */
  readonly given: number;
  /** Requests granted in the window, to all processes. */
  readonly granted: number;
  /** Whether other processes hold grants that they may not have spent. */
  readonly heldElsewhere: boolean;
  /** Whether one of those processes is alive, so that it can return them. False unless `given` is 0. */
  readonly heldByLiving: boolean;
  /** When the window ends, and the current time: both by the database's clock, in milliseconds. */
  readonly endsAt: number;
  readonly now: number;
}

/** Where the allowances of all processes are stored. */
export interface AllowanceStore {
  /**
   * Takes `wanted` requests for callers that wait. A process that is alone with the subject gets up to `size` instead, if
   * that is more; fewer near the limit.
   */
  take(subject: string, limit: number, wanted: number, size: number): Promise<Grant>;
  /** Returns the unspent requests of the window that ends at `endsAt`. */
  giveBack(subject: string, endsAt: number, unspent: number): Promise<void>;
  /** Shows the other processes that this one is alive, for the next seconds. */
  heartbeat(): Promise<void>;
  /** Ends the heartbeats. */
  leave(): Promise<void>;
  /** The subjects whose unspent requests another process needs. */
  recalled(): Promise<string[]>;
}
