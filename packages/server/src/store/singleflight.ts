/** A read that has not started: all who ask for the same until it starts get its result. */
interface Flight {
  readonly read: () => Promise<unknown>;
  readonly result: PromiseWithResolvers<unknown>;
}

/** A read that takes longer than this, in milliseconds, as on a dead connection, no longer delays those of other keys. */
const slowMs = 200;

/**
 * Gives one result to all who ask for the same at the same time. One read of a key runs at a time; those who ask
 * meanwhile share the next one, so no read is older than its request. At most `maxRunning` reads run at a time: those of
 * other keys wait for one to end, and are shared by all who ask for them until then. An idle server never waits.
 */
export class Singleflight {
  readonly #maxRunning: number;
  /** Reads that have not started, in the order in which they were asked for. */
  readonly #waiting = new Map<string, Flight>();
  /** Keys of reads that run. */
  readonly #keys = new Set<string>();
  /** Number of reads that run and are not slow. */
  #running = 0;

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** @param key names what is read, and everything that changes the result */
  read<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting.result.promise as Promise<Value>;
    const result = Promise.withResolvers<unknown>();
    this.#waiting.set(key, { read, result });
    this.#startNext();
    return result.promise as Promise<Value>;
  }

  #startNext(): void {
    for (const [key, flight] of this.#waiting) {
      if (this.#running >= this.#maxRunning) return;
      if (!this.#keys.has(key)) this.#start(key, flight);
    }
  }

  #start(key: string, { read, result }: Flight): void {
    this.#waiting.delete(key);
    this.#keys.add(key);
    this.#running += 1;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#running -= 1;
      this.#startNext();
    };
    const timer = setTimeout(release, slowMs);
    const reading = (async () => read())();
    reading.then(result.resolve, result.reject).finally(() => {
      clearTimeout(timer);
      this.#keys.delete(key);
      if (isReleased) this.#startNext();
      else release();
    });
  }
}
