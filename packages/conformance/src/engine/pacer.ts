import type { Payer } from "./keys.ts";
import { HarnessError } from "./outcome.ts";

/** Told when the run has to wait, so that nobody takes it for stuck. */
export type OnWait = (payer: Payer, seconds: number, why: string) => void;

interface Account {
  remaining: number | undefined;
  resetAt: number | undefined;
  /** A request was sent in spite of Remaining 0 and answered: the header is not to be believed. */
  distrusted: boolean;
}

/** A number in a header, or undefined. */
export function numeric(value: string | null): number | undefined {
  return value !== null && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}

/**
 * When X-RateLimit-Reset says the window ends, in milliseconds since 1970. Its unit is not stated, so it is told from
 * its size: past 10¹¹ it can only be Unix time in milliseconds, past 10⁸ Unix time in seconds; up to an hour and a
 * bit it is seconds from now, and between these milliseconds from now.
 */
export function resetInstant(reset: number, now: number): number {
  if (reset > 1e11) return reset;
  if (reset > 1e8) return reset * 1000;
  if (reset > 4000) return now + reset;
  return now + reset * 1000;
}

/** Keeps the run within the allowances that the answers tell of. */
export class Pacer {
  readonly #accounts = new Map<Payer, Account>();
  readonly #maxWait: number;
  readonly #onWait: OnWait;
  readonly #sleep: (seconds: number) => Promise<void>;

  /** @param maxWait seconds that one wait may last */
  constructor(maxWait: number, onWait: OnWait, sleep: (seconds: number) => Promise<void>) {
    this.#maxWait = maxWait;
    this.#onWait = onWait;
    this.#sleep = sleep;
  }

  /** Requests left to a payer as the latest answer told, undefined before that. */
  remaining(payer: Payer): number | undefined {
    return this.#accounts.get(payer)?.remaining;
  }

  /**
   * Waits for the next window where nothing is left of this one. A server that has been seen answering at Remaining 0
   * is not believed again; to find that out one request is risked, which costs nothing if it is refused.
   */
  async before(payer: Payer, now: number): Promise<void> {
    const account = this.#accounts.get(payer);
    if (account?.remaining !== 0 || account.distrusted) return;
    const seconds = account.resetAt === undefined ? 0 : (account.resetAt - now) / 1000;
    if (seconds > 0 && seconds <= Math.min(this.#maxWait, 5))
      await this.#wait(payer, seconds, "the allowance is used up");
  }

  /** Takes in the headers of an answer. */
  note(payer: Payer, status: number, headers: Headers, now: number): void {
    const account = this.#accounts.get(payer) ?? { remaining: undefined, resetAt: undefined, distrusted: false };
    if (account.remaining === 0 && status !== 429) account.distrusted = true;
    account.remaining = numeric(headers.get("x-ratelimit-remaining"));
    const reset = numeric(headers.get("x-ratelimit-reset"));
    account.resetAt = reset === undefined ? undefined : resetInstant(reset, now);
    this.#accounts.set(payer, account);
  }

  /** Waits out a 429; a wait longer than allowed ends the run. */
  async refused(payer: Payer, headers: Headers, now: number): Promise<void> {
    const after = headers.get("retry-after");
    const seconds =
      numeric(after) ??
      (after !== null && !Number.isNaN(Date.parse(after)) ? (Date.parse(after) - now) / 1000 : undefined) ??
      ((this.#accounts.get(payer)?.resetAt ?? now + 60_000) - now) / 1000;
    if (seconds > this.#maxWait) {
      throw new HarnessError(
        `The allowance of the ${payer} key is used up and renewed in ${Math.ceil(seconds)} s; --max-wait allows ${this.#maxWait} s.`,
      );
    }
    await this.#wait(payer, Math.max(seconds, 0.05), "the server answered 429");
  }

  async #wait(payer: Payer, seconds: number, why: string): Promise<void> {
    this.#onWait(payer, seconds, why);
    await this.#sleep(seconds);
  }
}
