import type { Payer } from "./terms.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE" | "PUT" | "OPTIONS" | "HEAD";

/** A request and its response, as sent and received. It holds keys: only `published` leaves the process. */
export interface Exchange {
  /** Counts from 1 in the order of sending. */
  readonly number: number;
  readonly payer: Payer;
  readonly method: Method;
  /** Path below the base address, with the query: `/projects?page=1`. */
  readonly target: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed; undefined where it is not JSON. */
  readonly json: unknown;
  /** Milliseconds since 1970 when it was sent, and when the answer was complete. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The server could not serve it for the moment, and it was sent again: a 429, or a 503 with Retry-After. */
  readonly retried?: boolean;
}

/** An exchange without keys, as a report holds it. */
export interface PublishedExchange {
  readonly number: number;
  readonly payer: Payer;
  readonly request: {
    readonly method: Method;
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly milliseconds: number;
}

/** Longest body that a report repeats, in characters. */
const longestBody = 20_000;

/** Copies an exchange for a report, every text through `redact`. */
export function published(exchange: Exchange, redact: (text: string) => string): PublishedExchange {
  const clean = (headers: Iterable<readonly [string, string]>) =>
    Object.fromEntries(Array.from(headers, ([name, value]) => [redact(name), redact(value)]));
  const cut = (text: string) =>
    text.length > longestBody ? `${text.slice(0, longestBody)}… (${text.length} characters)` : text;
  return {
    number: exchange.number,
    payer: exchange.payer,
    request: {
      method: exchange.method,
      target: redact(exchange.target),
      headers: clean(Object.entries(exchange.requestHeaders)),
      ...(exchange.requestBody === undefined ? {} : { body: cut(redact(exchange.requestBody)) }),
    },
    response: {
      status: exchange.status,
      headers: clean(exchange.headers),
      body: cut(redact(exchange.text)),
    },
    milliseconds: exchange.receivedAt - exchange.sentAt,
  };
}

/** `POST /projects → 201`, for sentences. */
export function summary(exchange: Exchange): string {
  return `${exchange.method} ${exchange.target} → ${exchange.status}`;
}
