import type { Exchange, Method } from "./exchange.ts";
import { HarnessError, Unmet, Violation } from "./outcome.ts";
import type { Pacer } from "./pacer.ts";
import type { Payer } from "./terms.ts";

/** What is sent, beside method and path. */
export interface Sending {
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Return a 429 or a 503 instead of waiting it out. */
  readonly unpaced?: boolean;
}

export interface ClientSettings {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly pacer: Pacer;
  /** Seconds until a response must be complete. */
  readonly timeout: number;
  readonly userAgent: string;
  readonly signal: AbortSignal | undefined;
  /** Called with every exchange, those that were sent again among them. */
  readonly onExchange: (exchange: Exchange) => void;
}

/** Codes of failures in which no server took the request. */
const away = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Codes of failures in which the server closed the connection. */
const lost = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

class ConnectionLost extends Violation {}

/** Codes of TLS failures that a certificate authority of one's own causes. */
const untrusted = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

const nobodyRemedy = "Allow more requests without a valid key from the address of this machine, or wait and run again.";

/** Times that one request is sent again after a 429 or a 503. */
const retries = 4;

/** Sends requests one after the other, paced, and keeps each with its response. */
export class Client {
  readonly #settings: ClientSettings;
  readonly #sentBy = new Map<Payer, number>();
  #sent = 0;
  #finishing = false;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /** From now on an interruption does not stop requests: what was created is being deleted. */
  finish(): void {
    this.#finishing = true;
  }

  /** Requests that were charged to a payer so far. */
  sentBy(payer: Payer): number {
    return this.#sentBy.get(payer) ?? 0;
  }

  /** @throws Violation where the server took the request and gave no response; HarnessError where it cannot be reached */
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
      const once = () => this.#once(payer, authorization, method, path, sending);
      const exchange = await once().catch((error: unknown) => {
        // A server may close an idle connection at the moment of the request; reading again changes nothing.
        if (error instanceof ConnectionLost && method === "GET") return once();
        throw error;
      });
      const obstacle = pacer.obstacle(exchange);
      const again = obstacle !== undefined && !sending.unpaced && attempt < retries;
      onExchange(again ? { ...exchange, retried: true } : exchange);
      pacer.note(payer, exchange.status, exchange.headers, exchange.receivedAt);
      if (obstacle === undefined || sending.unpaced) return exchange;
      // A server that stays unavailable is judged like any other failure.
      if (obstacle === "unavailable" && !again) return exchange;
      if (payer === "nobody")
        throw new Unmet(
          `${method} ${path} without a valid key was answered ${exchange.status}.`,
          exchange,
          nobodyRemedy,
        );
      if (!again)
        throw new HarnessError(
          `${method} ${path} was answered ${exchange.status} ${retries + 1} times in a row: the allowance of the ${payer} key is used up.`,
        );
      await pacer.refused(payer, exchange, attempt);
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
    this.#sentBy.set(payer, this.sentBy(payer) + 1);
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
      if (untrusted.has(code))
        throw new HarnessError(
          `The certificate of ${baseUrl} is not trusted (${code}). Give the certificate of its authority with --ca FILE.`,
        );
      if (away.has(code))
        throw new HarnessError(`Cannot reach ${baseUrl}: ${reason}. Check the address and the network.`);
      const Failure = lost.has(code) ? ConnectionLost : Violation;
      throw new Failure(`${method} ${target} got no response.`, {
        expected: `a response within ${timeout} s`,
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
