import { Refusal } from "../errors.ts";

/** Longest that a request waits for the database in all, in milliseconds: its caller hears of it within 5 s (C-ERR-2). */
export const longestWaitMs = 4_500;

/**
 * Waits for work until `deadline`, by the clock of `performance.now()`. The work itself goes on: what becomes of it
 * is not known to the caller.
 * @throws Refusal 503 when it takes longer
 */
export function within<Value>(work: Promise<Value>, deadline: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(
        new Refusal("ServiceUnavailable", "The service took too long to answer. Try again shortly.", {
          headers: { "Retry-After": "2" },
        }),
      );
    const timer = setTimeout(late, Math.max(0, deadline - performance.now()));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
