import { LRUCache } from "lru-cache";

/** A read that is asked for again within this many milliseconds is popular. */
const popularMs = 50;
/** The longest that a popular read waits to be coalesced with others, in milliseconds. */
const maxWaitMs = 10;

/** A read that has not started: all who ask for the same until it starts get its result. */
interface Flight {
  readonly read: () => Promise<unknown>;
  readonly result: PromiseWithResolvers<unknown>;
}

/** The reads of one key. */
interface Entry {
  readonly key: string;
  isRunning: boolean;
  next?: Flight;
  timer?: NodeJS.Timeout;
}

/**
 * Gives one result to all who ask for the same at the same time. One read of a key runs at a time; those who ask
 * meanwhile wait for the next one, so no read is older than its request. While another read runs, a popular one waits up
 * to 10 ms to be coalesced, so that a busier server shares more.
 */
export class Singleflight {
  readonly #entries = new Map<string, Entry>();
  readonly #waiting = new Set<Entry>();
  readonly #popular = new LRUCache<string, true>({ max: 10_000, ttl: popularMs });
  #running = 0;

  /** @param key names what is read, and everything that changes the result */
  read<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = { key, isRunning: false };
      this.#entries.set(key, entry);
    }
    if (entry.next) return entry.next.result.promise as Promise<Value>;
    const result = Promise.withResolvers<unknown>();
    entry.next = { read, result };
    if (!entry.isRunning) this.#schedule(entry);
    return result.promise as Promise<Value>;
  }

  #schedule(entry: Entry): void {
    const isPopular = this.#popular.has(entry.key);
    this.#popular.set(entry.key, true);
    if (!isPopular) {
      this.#start(entry);
      return;
    }
    this.#waiting.add(entry);
    entry.timer = setTimeout(() => this.#start(entry), maxWaitMs);
    // Requests of the same turn of the event loop are coalesced.
    if (this.#running === 0) setImmediate(() => this.#startNext());
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (next && this.#running === 0) this.#start(next);
  }

  #start(entry: Entry): void {
    const { next } = entry;
    clearTimeout(entry.timer);
    this.#waiting.delete(entry);
    if (!next) return;
    delete entry.next;
    entry.isRunning = true;
    this.#running += 1;
    const finish = () => {
      entry.isRunning = false;
      this.#running -= 1;
      if (entry.next) this.#schedule(entry);
      else this.#entries.delete(entry.key);
      this.#startNext();
    };
    const reading = (async () => next.read())();
    reading.then(next.result.resolve, next.result.reject).finally(finish);
  }
}
