/** The longest delay of a timer, 2^31 - 1 ms; a longer one fires at once. */
const MAX_DELAY = 2 ** 31 - 1;

/** Milliseconds of a monotonic clock. */
export const now = (): number => performance.now();

/**
 * Settles as `work` does, or as `onTimeout` does when the time is up, or with the signal's own reason when it aborts. The
 * last two happen at once, even if `work` ignores its signal.
 */
export function withTimeout<Value>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
  onTimeout: () => Value | Promise<Value>,
): Promise<Value> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const settle = (value: Value | Promise<Value>) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(value);
    };
    const cancel = (value: Value | Promise<Value>) => {
      settle(value);
      controller.abort();
    };
    const onAbort = () => cancel(Promise.reject(signal?.reason));
    const timer = setTimeout(() => cancel(onTimeout()), Math.min(milliseconds, MAX_DELAY));
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    else {
      const running = work(controller.signal);
      running.then(settle, () => settle(running));
    }
  });
}

/** Waits. Throws the signal's own reason as soon as it aborts. */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  withTimeout(
    milliseconds,
    signal,
    () => new Promise(() => {}),
    () => {},
  );
