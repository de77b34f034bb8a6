/** Milliseconds of a monotonic clock. */
export const now = (): number => performance.now();

/** The longest delay of a timer; a longer one fires at once. */
const MAX_DELAY = 2 ** 31 - 1;

/** The callbacks of the calls that share a signal. Node warns of a leak if a signal has more than ten listeners. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

function callbacksOf(signal: AbortSignal): Set<() => void> {
  const found = callbacks.get(signal);
  if (found) return found;
  const created = new Set<() => void>();
  signal.addEventListener("abort", () => created.forEach((callback) => void callback()));
  callbacks.set(signal, created);
  return created;
}

/** Throws the signal's own reason if it is aborted. React Native's signals have neither a reason nor `throwIfAborted`. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason ?? Object.assign(new Error("Aborted"), { name: "AbortError" });
}

/**
 * Settles as `work` does, or with undefined when the time is up, or with the signal's own reason when it aborts. The last
 * two happen at once, even if `work` ignores its signal.
 */
export function withTimeout<Value>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const shared = signal && callbacksOf(signal);
    const settle = (value?: Promise<Value>) => {
      clearTimeout(timer);
      shared?.delete(onAbort);
      resolve(value);
    };
    const cancel = (value?: Promise<Value>) => {
      settle(value);
      controller.abort();
    };
    // The executor of a promise rejects it with what it throws.
    const onAbort = () => cancel(new Promise(() => throwIfAborted(signal)));
    const timer = setTimeout(cancel, Math.min(milliseconds, MAX_DELAY));
    if (signal?.aborted) return onAbort();
    shared?.add(onAbort);
    const running = work(controller.signal);
    const onSettled = () => settle(running);
    running.then(onSettled, onSettled);
  });
}

/** Waits for a time, or until `wake` is called. Throws the signal's own reason as soon as it aborts. */
export const sleep = (
  milliseconds: number,
  signal: AbortSignal | undefined,
  onSleep: (wake: () => void) => void = () => {},
): Promise<void> => withTimeout(milliseconds, signal, () => new Promise(onSleep));
