/** Work that waits for a key: the functions that start it, by account. The first account is next. */
type Queue = Map<string, (() => void)[]>;

/**
 * Runs the work of one key one after the other. The accounts that it is for take turns, so that one with much work does
 * not hold up the others; the work of one account runs in the order in which it came.
 */
export class KeyedMutex {
  readonly #queues = new Map<string, Queue>();

  async runExclusive<Result>(key: string, account: string, work: () => Promise<Result>): Promise<Result> {
    await this.#acquire(key, account);
    try {
      return await work();
    } finally {
      this.#release(key);
    }
  }

  /** Number of keys with work that runs or waits. */
  get size(): number {
    return this.#queues.size;
  }

  #acquire(key: string, account: string): Promise<void> | undefined {
    const queue = this.#queues.get(key);
    if (!queue) {
      this.#queues.set(key, new Map());
      return undefined;
    }
    return new Promise((start) => {
      const waiting = queue.get(account);
      if (waiting) waiting.push(start);
      else queue.set(account, [start]);
    });
  }

  #release(key: string): void {
    const queue = this.#queues.get(key);
    const [next] = queue ?? [];
    if (!queue || !next) {
      this.#queues.delete(key);
      return;
    }
    const [account, waiting] = next;
    const start = waiting.shift();
    // The account goes to the end, behind the others that wait.
    queue.delete(account);
    if (waiting.length > 0) queue.set(account, waiting);
    start?.();
  }
}
