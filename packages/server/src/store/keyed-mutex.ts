import { Mutex } from "async-mutex";

/** Runs the work of one key one after the other, in the order in which it came. */
export class KeyedMutex {
  readonly #mutexes = new Map<string, Mutex>();

  async runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const mutex = this.#mutexes.get(key) ?? new Mutex();
    this.#mutexes.set(key, mutex);
    try {
      return await mutex.runExclusive(work);
    } finally {
      if (!mutex.isLocked() && this.#mutexes.get(key) === mutex) this.#mutexes.delete(key);
    }
  }

  /** Number of keys with work that runs or waits. */
  get size(): number {
    return this.#mutexes.size;
  }
}
