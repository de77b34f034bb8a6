import DataLoader from "dataloader";

/** A command that takes longer than this, in milliseconds, as on a dead connection, no longer delays the next one. */
const slowMs = 200;

/**
 * Loads records by key. Keys that are asked for at the same time go to the database in one command, which costs little
 * more than a command for one key: with 32 callers it was a quarter of the work for both sides. One command runs at a
 * time; keys that are asked for meanwhile go with the next one, so no read is older than its request.
 * @param read returns the values of distinct keys; a key without a value is left out
 * @param maxKeys most keys of one command: their values must fit into one batch of the database, 16 MiB
 */
export function batchLoader<Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  maxKeys: number,
): (key: string) => Promise<Value | undefined> {
  let isRunning = false;
  const waiting: (() => void)[] = [];
  const loader = new DataLoader<string, Value | undefined>(
    async (keys) => {
      isRunning = true;
      let isReleased = false;
      const release = () => {
        if (isReleased) return;
        isReleased = true;
        isRunning = false;
        waiting.shift()?.();
      };
      const timer = setTimeout(release, slowMs);
      try {
        const values = await read([...new Set(keys)]);
        return keys.map((key) => values.get(key));
      } finally {
        clearTimeout(timer);
        release();
      }
    },
    {
      cache: false,
      maxBatchSize: maxKeys,
      batchScheduleFn: (send) => {
        if (isRunning) waiting.push(send);
        else process.nextTick(send);
      },
    },
  );
  return (key) => loader.load(key);
}
