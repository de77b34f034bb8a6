import DataLoader from "dataloader";
import { LRUCache } from "lru-cache";

/** A command that is not back after this many milliseconds, as from a connection that is dead, delays no other. */
const longestAloneMs = 200;

/**
 * Reads that are asked for at the same time go to the database as one command, which costs hardly more than each of
 * them would: with 32 callers at once it was 4 times less work for both sides. One command is under way at a time, and
 * who comes meanwhile goes with the next: so none is answered from before it was asked for.
 * @param read answers the values of distinct keys; a key without a value is left out
 * @param mostKeys keys of one command at most: what they bring must fit into one batch of the database, 16 MiB
 */
export function gather<Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  mostKeys: number,
) {
  let underWay = false;
  const waiting: (() => void)[] = [];
  const loader = new DataLoader<string, Value | undefined>(
    async (keys) => {
      underWay = true;
      let released = false;
      const release = () => {
        if (released) return;
        released = true;
        underWay = false;
        waiting.shift()?.();
      };
      const late = setTimeout(release, longestAloneMs);
      try {
        const values = await read([...new Set(keys)]);
        return keys.map((key) => values.get(key));
      } finally {
        clearTimeout(late);
        release();
      }
    },
    {
      cache: false,
      maxBatchSize: mostKeys,
      batchScheduleFn: (send) => {
        if (underWay) waiting.push(send);
        else setImmediate(send);
      },
    },
  );
  return (key: string): Promise<Value | undefined> => loader.load(key);
}

/** A read that is asked for again within this many milliseconds is popular. */
const popularMs = 50;
/** Longest that a popular read waits for company, in milliseconds. */
const companyMs = 10;

/** One read that is wanted: whoever asks for the same before it begins has its answer. */
interface Wanted {
  readonly read: () => Promise<unknown>;
  readonly answer: PromiseWithResolvers<unknown>;
}

/** What is known of one key. */
interface Shared {
  readonly key: string;
  running: boolean;
  wanted?: Wanted;
  timer?: NodeJS.Timeout;
}

/**
 * Lets those who ask for the same at the same time have one answer. Of one key one read is under way at a time: who
 * comes meanwhile waits for the next, so nobody gets what was read before he asked. While another is under way, a read
 * that is popular waits up to 10 ms for company: so the busier it is, the more have one answer.
 */
export class Sharing {
  readonly #reads = new Map<string, Shared>();
  readonly #waiting = new Set<Shared>();
  readonly #popular = new LRUCache<string, true>({ max: 10_000, ttl: popularMs });
  #running = 0;

  /** @param key says what is read, and whatever changes it */
  read<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    let shared = this.#reads.get(key);
    if (!shared) {
      shared = { key, running: false };
      this.#reads.set(key, shared);
    }
    if (shared.wanted) return shared.wanted.answer.promise as Promise<Value>;
    const answer = Promise.withResolvers<unknown>();
    shared.wanted = { read, answer };
    if (!shared.running) this.#want(shared);
    return answer.promise as Promise<Value>;
  }

  #want(shared: Shared): void {
    const isPopular = this.#popular.has(shared.key);
    this.#popular.set(shared.key, true);
    if (!isPopular) {
      this.#start(shared);
      return;
    }
    this.#waiting.add(shared);
    shared.timer = setTimeout(() => this.#start(shared), companyMs);
    // All that this turn of the event loop brings goes along.
    if (this.#running === 0) setImmediate(() => this.#startNext());
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (next && this.#running === 0) this.#start(next);
  }

  #start(shared: Shared): void {
    const { wanted } = shared;
    clearTimeout(shared.timer);
    this.#waiting.delete(shared);
    if (!wanted) return;
    delete shared.wanted;
    shared.running = true;
    this.#running += 1;
    const over = () => {
      shared.running = false;
      this.#running -= 1;
      if (shared.wanted) this.#want(shared);
      else this.#reads.delete(shared.key);
      this.#startNext();
    };
    const reading = (async () => wanted.read())();
    reading.then(wanted.answer.resolve, wanted.answer.reject).finally(over);
  }
}
