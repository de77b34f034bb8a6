import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";

/** What an allowance looks like to a caller (S-RATE-1, C-RATE-1). */
export interface Allowance {
  /** Requests in a window. */
  readonly limit: number;
  /** Requests left in it. */
  readonly remaining: number;
  /** When it ends: Unix time, seconds. */
  readonly reset: number;
}

export interface Verdict extends Allowance {
  readonly admitted: boolean;
  /** Seconds until the window ends. */
  readonly secondsLeft: number;
}

/** What a process was granted out of an allowance. */
export interface Grant {
  /** Requests granted to this process just now; 0 when none was left. */
  readonly given: number;
  /** Requests granted in the window, to all processes. */
  readonly granted: number;
  /** Whether other processes hold grants that they may not have spent. */
  readonly heldElsewhere: boolean;
  /** When the window ends, and what time it is: both by the database's clock, in milliseconds. */
  readonly endsAt: number;
  readonly now: number;
}

/** Where allowances are kept for all processes. */
export interface AllowanceRecords {
  /** Takes up to `wanted` for requests that wait, and beyond them up to `size`, less the nearer the end is. */
  take(subject: string, limit: number, wanted: number, size: number): Promise<Grant>;
  /** Gives back what was not spent in the window that ends then. */
  giveBack(subject: string, endsAt: number, unspent: number): Promise<void>;
  /** Which of these subjects another process asks to have given back. */
  recalled(): Promise<string[]>;
}

/** Requests granted to this process and not yet spent, or the knowledge that there are none. */
interface Lease {
  limit: number;
  unspent: number;
  granted: number;
  /** When the window ends, by this process's monotonic clock: early rather than late. */
  until: number;
  endsAt: number;
  /** While it is refused: until when this is certain, by the monotonic clock. */
  refusedUntil: number;
  /** Whether the records say that this process holds what it may not have spent. */
  held: boolean;
  waiting: number;
  size: number;
  tookAt: number;
  taking: Promise<void> | undefined;
}

const largestSize = 1_000;
/** With one request at first, a service with many accounts would write for nearly every request. */
const firstSize = 16;
/** A grant that was spent within this many milliseconds was too small: a busy account then writes once a minute. */
const briskMs = 60_000;
const recallEveryMs = 200;
/** How long a refusal waits for what others hold: ten of their recall rounds. */
const recallPatienceMs = 2_000;

/**
 * Counts requests against allowances that all processes share. Most are spent from a lease, a number of requests that
 * the records have already counted: so the sum is never overrun, whatever happens to a process. A lease begins with
 * a few requests, doubles while one process is alone with the subject, and shrinks to one near the end; what is still
 * held is given back as soon as another process lacks it, so the sum is never underrun either (C-RATE-1).
 */
export class Allowances {
  readonly #records: AllowanceRecords;
  readonly #leases: LRUCache<string, Lease>;
  readonly #clock: () => number;
  readonly #windowMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #givingBack = new Map<string, Promise<void>>();
  #recalling: NodeJS.Timeout | undefined;

  /** @param options.clock monotonic milliseconds; options.windowMs the window's length, for what is not known yet */
  constructor(
    records: AllowanceRecords,
    options: { windowMs: number; onError: (error: unknown) => void; clock?: () => number; subjects?: number },
  ) {
    this.#records = records;
    this.#clock = options.clock ?? (() => performance.now());
    this.#windowMs = options.windowMs;
    this.#onError = options.onError;
    this.#leases = new LRUCache({
      max: options.subjects ?? 50_000,
      dispose: (lease, subject) => this.#return(subject, lease),
    });
  }

  /** Spends one request of the subject's allowance, if there is one. Answers at once when a lease has it. */
  spend(subject: string, limit: number): Verdict | Promise<Verdict> {
    const lease = this.#leaseOf(subject, limit);
    return this.#trySpend(lease, limit) ?? this.#takeAndSpend(subject, lease, limit);
  }

  /** What is known of an allowance without asking for it; a full one where nothing is known. */
  peek(subject: string, limit: number): Allowance {
    const lease = this.#leases.peek(subject);
    if (!lease || lease.until <= this.#clock()) {
      return { limit, remaining: limit, reset: Math.ceil((Date.now() + this.#windowMs) / 1_000) };
    }
    return { limit, remaining: remainingOf(lease, limit), reset: Math.ceil(lease.endsAt / 1_000) };
  }

  /** Gives everything back and stops; to be called when no more requests come. */
  async close(): Promise<void> {
    clearInterval(this.#recalling);
    this.#leases.clear();
    await Promise.all(this.#givingBack.values());
  }

  #leaseOf(subject: string, limit: number): Lease {
    let lease = this.#leases.get(subject);
    if (!lease) {
      lease = {
        limit,
        unspent: 0,
        granted: 0,
        until: 0,
        endsAt: 0,
        refusedUntil: 0,
        held: false,
        waiting: 0,
        size: firstSize,
        tookAt: 0,
        taking: undefined,
      };
      this.#leases.set(subject, lease);
    }
    return lease;
  }

  #trySpend(lease: Lease, limit: number): Verdict | undefined {
    const now = this.#clock();
    if (now >= lease.until) return undefined;
    const admitted = lease.unspent > 0 && lease.limit === limit;
    if (!admitted && (now >= lease.refusedUntil || lease.limit !== limit)) return undefined;
    if (admitted) lease.unspent -= 1;
    return {
      admitted,
      limit,
      remaining: admitted ? remainingOf(lease, limit) : 0,
      reset: Math.ceil(lease.endsAt / 1_000),
      secondsLeft: Math.max(1, Math.ceil((lease.until - now) / 1_000)),
    };
  }

  async #takeAndSpend(subject: string, lease: Lease, limit: number): Promise<Verdict> {
    lease.waiting += 1;
    try {
      for (;;) {
        const verdict = this.#trySpend(lease, limit);
        if (verdict) return verdict;
        lease.taking ??= this.#take(subject, lease, limit).finally(() => {
          lease.taking = undefined;
        });
        await lease.taking;
      }
    } finally {
      lease.waiting -= 1;
      // A lease that was let go of while it was being filled has no other who returns the rest.
      if (lease.waiting === 0 && this.#leases.peek(subject) !== lease) this.#return(subject, lease);
    }
  }

  async #take(subject: string, lease: Lease, limit: number): Promise<void> {
    const began = this.#clock();
    // A plan that changed makes what is held worthless under the old limit: it goes back, to be counted anew.
    if (lease.limit !== limit) this.#return(subject, lease);
    lease.limit = limit;
    for (;;) {
      // What goes back must arrive first: else the records would still count it, and take the next grant for returned.
      await this.#givingBack.get(subject);
      const asked = this.#clock();
      const wanted = Math.max(1, lease.waiting);
      const grant = await this.#records.take(subject, limit, wanted, lease.size);
      const answered = this.#clock();
      // Counted from when it was asked, so that the window ends here no later than in the database.
      lease.until = asked + (grant.endsAt - grant.now);
      lease.endsAt = grant.endsAt;
      lease.granted = grant.granted;
      lease.unspent = grant.given;
      lease.size = answered - lease.tookAt < briskMs ? Math.min(lease.size * 2, largestSize) : firstSize;
      lease.tookAt = answered;
      lease.held = grant.given > wanted;
      lease.refusedUntil = 0;
      if (lease.held) this.#watchRecalls();
      if (grant.given > 0) return;
      // Refused: for the rest of the window, unless others hold something that may still come back.
      lease.refusedUntil = grant.heldElsewhere ? answered + 1_000 : lease.until;
      if (!grant.heldElsewhere || answered - began > recallPatienceMs) return;
      await sleep(recallEveryMs / 2);
    }
  }

  #return(subject: string, lease: Lease): void {
    const { held, unspent, endsAt } = lease;
    lease.held = false;
    lease.unspent = 0;
    lease.size = 1;
    if ((!held && unspent === 0) || lease.until <= this.#clock()) return;
    lease.granted -= unspent;
    const before = this.#givingBack.get(subject);
    const giving = Promise.resolve(before)
      .then(() => this.#records.giveBack(subject, endsAt, unspent))
      .catch(this.#onError)
      .finally(() => {
        if (this.#givingBack.get(subject) === giving) this.#givingBack.delete(subject);
      });
    this.#givingBack.set(subject, giving);
  }

  #watchRecalls(): void {
    this.#recalling ??= setInterval(() => {
      this.#records.recalled().then((subjects) => {
        for (const subject of subjects) {
          const lease = this.#leases.peek(subject);
          // One that is being filled has nothing yet; a later round finds what it got.
          if (lease && !lease.taking) this.#return(subject, lease);
        }
      }, this.#onError);
    }, recallEveryMs).unref();
  }
}

function remainingOf(lease: Lease, limit: number): number {
  return Math.max(0, limit - lease.granted + lease.unspent);
}
