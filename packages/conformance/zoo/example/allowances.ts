import type { WireRequest } from "../wire.ts";
import { operationOf } from "../wire.ts";
import type { Choices } from "./choices.ts";

interface Window {
  left: number;
  /** Milliseconds since 1970. */
  ends: number;
  seen: number;
}

const hour = 3_600_000;

/** Counts requests as the choices say, and tells the three headers. */
export class Allowances {
  readonly #choices: Choices;
  readonly #windows = new Map<string, Window>();

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  /** Takes one request of an account; `admitted` is false beyond the allowance. */
  take(account: string, limit: number, request: WireRequest): { admitted: boolean; headers: Record<string, string> } {
    const { countedPer, refill } = this.#choices;
    const scope = { account: "", endpoint: operationOf(request), "read-write": String(request.method === "GET") };
    const key = `${account} ${scope[countedPer]}`;
    const now = Date.now();
    const known = this.#windows.get(key);
    const window = known && known.ends > now ? known : { left: limit, ends: now + hour, seen: now };
    window.left = Math.min(limit, window.left + ((now - window.seen) / hour) * refill);
    window.seen = now;
    this.#windows.set(key, window);
    const admitted = window.left >= 1;
    if (admitted) window.left -= 1;
    return { admitted, headers: this.#headers(limit, window, now) };
  }

  /** Gives a request back that was refused, where refusals do not count. */
  giveBack(account: string, limit: number, request: WireRequest): Record<string, string> {
    const scope = { account: "", endpoint: operationOf(request), "read-write": String(request.method === "GET") };
    const window = this.#windows.get(`${account} ${scope[this.#choices.countedPer]}`) as Window;
    window.left += 1;
    return this.#headers(limit, window, Date.now());
  }

  #headers(limit: number, window: Window, now: number): Record<string, string> {
    const away = window.ends - now;
    const reset = {
      unix: Math.floor(window.ends / 1000),
      "unix-milliseconds": window.ends,
      seconds: Math.floor(away / 1000),
      milliseconds: away,
      minutes: Math.floor(away / 60_000),
    }[this.#choices.reset];
    return {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(Math.max(0, Math.floor(window.left))),
      "x-ratelimit-reset": String(reset),
    };
  }
}
