import type { Exchange } from "./exchange.ts";
import { HarnessError } from "./outcome.ts";
import type { Payer } from "./terms.ts";

/** Called when the run has to wait, so that nobody takes it for stuck. */
export type OnWait = (payer: Payer, seconds: number, why: string) => void;

/** Why a response says nothing about the request: the allowance is used up, or the server is unavailable for a moment. */
export type Obstacle = "exhausted" | "unavailable";

interface Account {
  remaining: number | undefined;
  resetAt: number | undefined;
  /** A request was sent in spite of Remaining 0 and answered: the header does not hold for every request. */
  distrusted: boolean;
}

/** A number in a header, or undefined. */
export function numeric(value: string | null): number | undefined {
  return value !== null && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}

/**
 * When X-RateLimit-Reset says that the window ends, in milliseconds since 1970. The unit is not stated, so it is told
 * from the size: above 10¹¹ it is Unix time in milliseconds, above 10⁸ Unix time in seconds. Up to an hour and a bit it
 * is seconds from now, and above that milliseconds from now.
 */
export function resetInstant(reset: number, now: number): number {
  if (reset > 1e11) return reset;
  if (reset > 1e8) return reset * 1000;
  if (reset > 4000) return now + reset;
  return now + reset * 1000;
}

/** Keeps the run within the allowances that the responses announce. */
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

  /**
   * Waits a few seconds for the next window where nothing is left of this one. A server that answered at Remaining 0
   * is not waited for again, because it may count each endpoint by itself.
   */
  async before(payer: Payer, now: number): Promise<void> {
    const account = this.#accounts.get(payer);
    if (account?.remaining !== 0 || account.distrusted) return;
    const seconds = account.resetAt === undefined ? 0 : (account.resetAt - now) / 1000;
    if (seconds > 0 && seconds <= Math.min(this.#maxWait, 5))
      await this.#wait(payer, seconds, "the allowance is used up");
  }

  /** Which obstacle a response reports. What answers an exhausted allowance is not stated: 429, or 403 or 503 with Remaining 0. */
  obstacle({ payer, status, headers }: Pick<Exchange, "payer" | "status" | "headers">): Obstacle | undefined {
    const remaining = numeric(headers.get("x-ratelimit-remaining"));
    // A 429 with something left and no time to wait for refuses the request itself.
    if (status === 429) return (remaining ?? 0) > 0 && !headers.has("retry-after") ? undefined : "exhausted";
    const nothingLeft = remaining === 0 && !this.#accounts.get(payer)?.distrusted;
    if ((status === 403 || status === 503) && nothingLeft) return "exhausted";
    return status === 503 && headers.has("retry-after") ? "unavailable" : undefined;
  }

  /** Takes in the headers of a response. */
  note(payer: Payer, status: number, headers: Headers, now: number): void {
    const account = this.#accounts.get(payer) ?? { remaining: undefined, resetAt: undefined, distrusted: false };
    if (account.remaining === 0 && status < 400) account.distrusted = true;
    const remaining = numeric(headers.get("x-ratelimit-remaining"));
    const reset = numeric(headers.get("x-ratelimit-reset"));
    account.remaining = remaining;
    account.resetAt = reset === undefined ? undefined : resetInstant(reset, now);
    this.#accounts.set(payer, account);
  }

  /** Waits until a request can be sent again. @throws HarnessError where the wait is longer than allowed */
  async refused(payer: Payer, { status, headers, receivedAt }: Exchange, attempt: number): Promise<void> {
    const after = headers.get("retry-after");
    const date = after === null ? Number.NaN : Date.parse(after);
    const told = numeric(after) ?? (Number.isNaN(date) ? undefined : (date - receivedAt) / 1000);
    const reset = this.#accounts.get(payer)?.resetAt ?? receivedAt + 60_000;
    // Seconds that proved too few are minutes.
    const seconds = told ?? ((reset - receivedAt) / 1000) * (attempt === 0 ? 1 : 60);
    if (seconds > this.#maxWait) {
      throw new HarnessError(
        `The allowance of the ${payer} key is used up and is renewed in ${Math.ceil(seconds)} s; --max-wait allows ${this.#maxWait} s.`,
      );
    }
    await this.#wait(payer, Math.max(seconds, 0.05), `the server answered ${status}`);
  }

  async #wait(payer: Payer, seconds: number, why: string): Promise<void> {
    this.#onWait(payer, seconds, why);
    await this.#sleep(seconds);
  }
}
