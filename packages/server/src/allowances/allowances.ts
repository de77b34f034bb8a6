import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Allowance, AllowanceStore, RateLimitResult } from "./allowance.ts";

/** Requests that were granted to this process and are not yet spent, or a cached refusal. */
interface Lease {
  limit: number;
  unspent: number;
  granted: number;
  /** When the window ends, by the process's monotonic clock; never later than in the database. */
  until: number;
  endsAt: number;
  /** Until when requests are refused without a query, by the monotonic clock. */
  refusedUntil: number;
  /** Whether the database lists this process as a holder of unspent requests. */
  held: boolean;
  waiting: number;
  size: number;
  tookAt: number;
  taking: Promise<void> | undefined;
}

const largestSize = 1_000;
/** With a first lease of one request, a service with many accounts would write for nearly every request. */
const firstSize = 16;
/** A lease that is spent within this many milliseconds doubles: a busy account then writes about once a minute. */
const leaseTargetMs = 60_000;
const recallEveryMs = 200;
const heartbeatEveryMs = 1_000;
/** How long a refusal waits for requests that others hold: ten of their recall rounds. */
const recallTimeoutMs = 2_000;

/**
 * Counts requests against allowances that all processes share. Most requests are spent from a lease: a number of requests
 * that the database has already counted, so the limit is never exceeded, whatever happens to a process. A lease starts
 * with a few requests, doubles while one process is alone with the subject, and shrinks to one near the limit. Unspent
 * requests are returned as soon as another process needs them, so the whole allowance can be used (C-RATE-1).
 */
export class Allowances {
  readonly #store: AllowanceStore;
  readonly #leases: LRUCache<string, Lease>;
  readonly #clock: () => number;
  readonly #windowMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #givingBack = new Map<string, Promise<void>>();
  #recalling: NodeJS.Timeout | undefined;
  #beating: NodeJS.Timeout | undefined;
  #firstBeat: Promise<void> | undefined;

  /** @param options.clock monotonic milliseconds; options.windowMs the length of a window, for subjects without a lease */
  constructor(
    store: AllowanceStore,
    options: { windowMs: number; onError: (error: unknown) => void; clock?: () => number; subjects?: number },
  ) {
    this.#store = store;
    this.#clock = options.clock ?? (() => performance.now());
    this.#windowMs = options.windowMs;
    this.#onError = options.onError;
    this.#leases = new LRUCache({
      max: options.subjects ?? 50_000,
      dispose: (lease, subject) => this.#return(subject, lease),
    });
  }

  /** Spends one request of the subject's allowance, if there is one; without a promise when a lease has it. */
  spend(subject: string, limit: number): RateLimitResult | Promise<RateLimitResult> {
    const lease = this.#leaseOf(subject, limit);
    return this.#trySpend(lease, limit) ?? this.#takeAndSpend(subject, lease, limit);
  }

  /** The allowance as this process knows it; a full one for a subject without a lease. */
  peek(subject: string, limit: number): Allowance {
    const reset = Math.ceil((Date.now() + this.#windowMs) / 1_000);
    return this.known(subject, limit) ?? { limit, remaining: limit, reset };
  }

  /** The allowance as this process knows it; undefined for a subject without a lease. */
  known(subject: string, limit: number): Allowance | undefined {
    const lease = this.#leases.peek(subject);
    if (!lease || lease.until <= this.#clock()) return undefined;
    return { limit, remaining: remainingOf(lease, limit), reset: Math.ceil(lease.endsAt / 1_000) };
  }

  /** Returns all unspent requests and stops. `spend` must not be called afterwards. */
  async close(): Promise<void> {
    clearInterval(this.#recalling);
    clearInterval(this.#beating);
    this.#leases.clear();
    await Promise.all(this.#givingBack.values());
    await this.#store.leave().catch(this.#onError);
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

  #trySpend(lease: Lease, limit: number): RateLimitResult | undefined {
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

  async #takeAndSpend(subject: string, lease: Lease, limit: number): Promise<RateLimitResult> {
    lease.waiting += 1;
    try {
      for (;;) {
        const result = this.#trySpend(lease, limit);
        if (result) return result;
        lease.taking ??= this.#take(subject, lease, limit).finally(() => {
          lease.taking = undefined;
        });
        await lease.taking;
      }
    } finally {
      lease.waiting -= 1;
      // A lease that was evicted while it was being filled is returned here.
      if (lease.waiting === 0 && this.#leases.peek(subject) !== lease) this.#return(subject, lease);
    }
  }

  async #take(subject: string, lease: Lease, limit: number): Promise<void> {
    const began = this.#clock();
    // The plan has changed: what was granted under the old limit is returned, and counted again.
    if (lease.limit !== limit) this.#return(subject, lease);
    lease.limit = limit;
    for (;;) {
      // The return must arrive first; otherwise the database would apply it to the next grant.
      await this.#givingBack.get(subject);
      await this.#beat();
      const asked = this.#clock();
      const wanted = Math.max(1, lease.waiting);
      const grant = await this.#store.take(subject, limit, wanted, lease.size);
      const answered = this.#clock();
      // Counted from the time of the request, so that the window ends here no later than in the database.
      lease.until = asked + (grant.endsAt - grant.now);
      lease.endsAt = grant.endsAt;
      lease.granted = grant.granted;
      lease.unspent = grant.given;
      lease.size = answered - lease.tookAt < leaseTargetMs ? Math.min(lease.size * 2, largestSize) : firstSize;
      lease.tookAt = answered;
      lease.held = grant.given > wanted;
      lease.refusedUntil = 0;
      if (lease.held) this.#watchRecalls();
      if (grant.given > 0) return;
      // Refused for the rest of the window, unless others hold requests that may still be returned.
      lease.refusedUntil = grant.heldElsewhere ? answered + 1_000 : lease.until;
      // A dead process returns nothing. One that was only suspended may: so the database is asked again after a second.
      if (!grant.heldByLiving || answered - began > recallTimeoutMs) return;
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
      .then(() => this.#store.giveBack(subject, endsAt, unspent))
      .catch(this.#onError)
      .finally(() => {
        if (this.#givingBack.get(subject) === giving) this.#givingBack.delete(subject);
      });
    this.#givingBack.set(subject, giving);
  }

  /** Starts the heartbeats, before the first lease: else other processes could take its holder for a dead one. */
  #beat(): Promise<void> {
    const beat = () => this.#store.heartbeat();
    this.#firstBeat ??= beat().catch((error) => {
      this.#firstBeat = undefined;
      throw error;
    });
    this.#beating ??= setInterval(() => void beat().catch(this.#onError), heartbeatEveryMs).unref();
    return this.#firstBeat;
  }

  #watchRecalls(): void {
    this.#recalling ??= setInterval(() => {
      this.#store.recalled().then((subjects) => {
        for (const subject of subjects) {
          const lease = this.#leases.peek(subject);
          // A lease that is being filled has nothing to return yet; a later round returns it.
          if (lease && !lease.taking) this.#return(subject, lease);
        }
      }, this.#onError);
    }, recallEveryMs).unref();
  }
}

function remainingOf(lease: Lease, limit: number): number {
  return Math.max(0, limit - lease.granted + lease.unspent);
}
