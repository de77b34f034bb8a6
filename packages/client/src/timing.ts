/** The longest that a timer can wait; beyond it, it would fire at once. */
const LONGEST = 2 ** 31 - 1;

/** Milliseconds of a clock that nobody sets. */
export const now = (): number => performance.now();

/**
 * Settles as `work` does; but as `late` does when the time is up, and with the signal's own reason when it aborts: both
 * at once, even where `work` heeds no signal.
 */
export function within<Value>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
  late: () => Value | Promise<Value>,
): Promise<Value> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const settle = (outcome: Value | Promise<Value>) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    const cut = (outcome: Value | Promise<Value>) => {
      settle(outcome);
      controller.abort();
    };
    const onAbort = () => cut(Promise.reject(signal?.reason));
    const timer = setTimeout(() => cut(late()), Math.min(milliseconds, LONGEST));
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    else {
      const working = work(controller.signal);
      working.then(settle, () => settle(working));
    }
  });
}

/** Waits; throws the signal's own reason as soon as it aborts. */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  within(
    milliseconds,
    signal,
    () => new Promise(() => {}),
    () => {},
  );
