/**
 * Lends each transaction of a process a shard of its own, so that no two of them conflict on a tally. Its size also bounds
 * the number of transactions that run at a time.
 */
export class ShardPool {
  readonly #free: number[];
  readonly #waiting: ((shard: number) => void)[] = [];

  /** The order is random, so that processes tend to use different shards. */
  constructor(size: number, random: () => number = Math.random) {
    this.#free = Array.from({ length: size }, (_, shard) => shard).sort(() => random() - 0.5);
  }

  /** Waits for a free shard, first come first served. */
  async take(): Promise<number> {
    return this.#free.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** @param hasConflicted whether another process seems to use this shard: then it is lent again last */
  release(shard: number, hasConflicted: boolean): void {
    const next = this.#waiting.shift();
    if (next) next(shard);
    else if (hasConflicted) this.#free.push(shard);
    // Lent again first: the fewer shards are in use, the fewer documents a total has to read.
    else this.#free.unshift(shard);
  }
}
