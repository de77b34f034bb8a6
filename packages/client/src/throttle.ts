import { now } from "./time.ts";

/**
 * Limits the requests in flight of a client, so that many calls do not run into a 429 together. A 429 pauses all calls.
 */
export interface Throttle {
  inFlight: number;
  /** Requests that may be in flight: what `X-RateLimit-Remaining` permits. Without that header 10, and 1 after a 429. */
  capacity: number;
  /** When the pause ends, by the clock of `now`. */
  resumeAt: number;
  /** Wakes the calls that wait for their turn. */
  waiting: (() => void)[];
}

export const createThrottle = (): Throttle => ({ inFlight: 0, capacity: 10, resumeAt: 0, waiting: [] });

/**
 * Milliseconds until a call may be sent, `Infinity` if it waits for others to end; 0 if it may be sent now.
 *
 * @param maxPause longest pause that the call accepts. If the pause is longer, it may be sent now.
 */
export function pauseOf({ inFlight, capacity, resumeAt }: Throttle, maxPause: number): number {
  const pause = resumeAt - now();
  return pause > 0 ? (pause > maxPause ? 0 : pause) : inFlight + 1 > capacity ? Infinity : 0;
}
