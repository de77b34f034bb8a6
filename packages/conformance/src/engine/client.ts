import type { Exchange, Method } from "./exchange.ts";
import type { Payer } from "./keys.ts";
import { HarnessError, Violation } from "./outcome.ts";
import type { Pacer } from "./pacer.ts";

/** What is sent, beside method and path. */
export interface Sending {
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Take a 429 as the answer instead of waiting it out. */
  readonly unpaced?: boolean;
}

export interface ClientSettings {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly pacer: Pacer;
  /** Seconds until an answer must be complete. */
  readonly timeout: number;
  readonly userAgent: string;
  readonly signal: AbortSignal | undefined;
  /** Called with every exchange, 429s that were waited out among them. */
  readonly onExchange: (exchange: Exchange) => void;
}

/** Codes of failures in which nobody took the request. */
const away = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Times that one request is sent again after a 429. */
const patience = 3;

/** Sends requests one after the other, paced, and keeps each with its answer. */
export class Client {
  readonly #settings: ClientSettings;
  #sent = 0;
  #finishing = false;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /** From now on an interruption does not stop requests: what was made is being deleted. */
  finish(): void {
    this.#finishing = true;
  }

  /** @throws Violation where the server took the request and gave no answer; HarnessError where none could be asked */
  async send(
    payer: Payer,
    authorization: string | undefined,
    method: Method,
    path: string,
    sending: Sending = {},
  ): Promise<Exchange> {
    const { pacer, onExchange } = this.#settings;
    for (let attempt = 0; ; attempt += 1) {
      await pacer.before(payer, Date.now());
      const exchange = await this.#once(payer, authorization, method, path, sending);
      onExchange(exchange);
      pacer.note(payer, exchange.status, exchange.headers, exchange.receivedAt);
      if (exchange.status !== 429 || sending.unpaced) return exchange;
      if (attempt === patience)
        throw new HarnessError(`${method} ${path} was answered 429 ${patience + 1} times in a row.`);
      await pacer.refused(payer, exchange.headers, exchange.receivedAt);
    }
  }

  async #once(
    payer: Payer,
    authorization: string | undefined,
    method: Method,
    path: string,
    sending: Sending,
  ): Promise<Exchange> {
    const { baseUrl, timeout, userAgent } = this.#settings;
    const signal = this.#finishing ? undefined : this.#settings.signal;
    if (signal?.aborted) throw new HarnessError("The run was interrupted.");
    const entries = Object.entries(sending.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
    const query = new URLSearchParams(entries).toString();
    const target = query === "" ? path : `${path}?${query}`;
    const requestBody = sending.text ?? (sending.body === undefined ? undefined : JSON.stringify(sending.body));
    const requestHeaders = {
      accept: "application/json",
      "user-agent": userAgent,
      ...(authorization === undefined ? {} : { authorization }),
      ...(requestBody === undefined ? {} : { "content-type": "application/json" }),
      ...sending.headers,
    };
    this.#sent += 1;
    const number = this.#sent;
    const limits = [AbortSignal.timeout(timeout * 1000), ...(signal ? [signal] : [])];
    const sentAt = Date.now();
    try {
      const response = await this.#settings.fetch(baseUrl + target, {
        method,
        headers: requestHeaders,
        redirect: "manual",
        signal: AbortSignal.any(limits),
        ...(requestBody === undefined ? {} : { body: requestBody }),
      });
      const text = await response.text();
      const { status, headers } = response;
      const answer = { status, headers, text, json: parsed(text), sentAt, receivedAt: Date.now() };
      return { number, payer, method, target, requestHeaders, requestBody, ...answer };
    } catch (error) {
      if (signal?.aborted) throw new HarnessError("The run was interrupted.");
      const { code, reason } = failure(error);
      if (away.has(code)) throw new HarnessError(`Nobody answers at ${baseUrl}: ${reason}.`);
      throw new Violation(`${method} ${target} got no answer.`, {
        expected: `an answer within ${timeout} s`,
        seen: reason,
      });
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(error: unknown): { code: string; reason: string } {
  if (!(error instanceof Error)) return { code: "", reason: String(error) };
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return { code: cause?.code ?? "", reason: cause?.message || cause?.code || error.message };
}
