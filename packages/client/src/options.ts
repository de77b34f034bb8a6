import type { ProjectFeedbackError } from "./errors.ts";
import type { AnswerFacts } from "./result.ts";

/** What a hook is told of every attempt. Nothing here bears the API key. */
export interface AttemptEvent {
  /** HTTP method. */
  readonly method: string;
  /** Address, with the query. */
  readonly url: string;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
}

/** An attempt is about to be sent. */
export interface RequestEvent extends AttemptEvent {
  /** The headers to send, without `Authorization`; what a hook sets here is sent, such as `traceparent`. */
  readonly headers: Headers;
}

/** An attempt was answered. */
export interface ResponseEvent extends AttemptEvent, AnswerFacts {
  /** HTTP status. */
  readonly status: number;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** Milliseconds from sending to the end of the body. */
  readonly duration: number;
}

/** An attempt failed, and another follows. */
export interface RetryEvent extends AttemptEvent {
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  /** Why the attempt failed. */
  readonly error: ProjectFeedbackError;
}

/** How a call is retried and how long it may take; as a call's own, they go before the client's. */
export interface RetryOptions {
  /** Milliseconds for each attempt, the reading of its body included. Default 30,000; `Infinity` for no end. */
  readonly attemptTimeout?: number;
  /**
   * Milliseconds for the whole call, its retries and the waits between them included. Default 60,000, or `Infinity`
   * with `waitForRateLimit`.
   */
  readonly totalTimeout?: number;
  /** Retries after the first attempt. Default 10: about 13 s of waiting, enough for a server to start again. */
  readonly maxRetries?: number;
  /** Milliseconds before the first retry at most; each later one doubles it, up to 5,000. Default 100. */
  readonly retryDelay?: number;
  /** Milliseconds that a server may ask to wait. Where it asks for more, its error comes at once. Default 30,000. */
  readonly maxRetryAfter?: number;
  /** Whether to wait for the end of the window, up to an hour, where the allowance is used up. Default false. */
  readonly waitForRateLimit?: boolean;
  /**
   * Whether a POST or PATCH carries an `Idempotency-Key`, so that its retry can't do it twice (C-IDEM-1). Default
   * true. With false, for a server that doesn't know the header, it is retried only where it was surely not done: the
   * request never left, or was refused with 429.
   */
  readonly idempotency?: boolean;
}

/** Options of one call. */
export interface CallOptions extends RetryOptions {
  /** Ends the call, whether it is sending, reading or waiting; the call then throws the signal's own reason. */
  readonly signal?: AbortSignal;
  /** Headers beside the client's. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of a call that writes. */
export interface WriteOptions extends CallOptions {
  /** Names this write across processes and restarts, 1 to 255 visible characters. Default: a random one each call. */
  readonly idempotencyKey?: string;
}

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Pages that an iteration reads at most. Default: all. */
  readonly maxPages?: number;
}

/** Options of a client. */
export interface ClientOptions extends RetryOptions {
  /** Address of the deployment, with the version: `https://feedback.example.com/v1`. */
  readonly baseUrl: string;
  /** The API key; it is sent as a bearer token, and shown nowhere. */
  readonly apiKey: string;
  /** Sends the requests, called as `fetch(url, init)`. Default: the global `fetch`. */
  readonly fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Headers that every request carries. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called before each attempt, and awaited. What a hook throws ends the call. */
  readonly onRequest?: (event: RequestEvent) => void | Promise<void>;
  /** Called after each attempt that was answered. */
  readonly onResponse?: (event: ResponseEvent) => void | Promise<void>;
  /** Called before the wait for the next attempt. */
  readonly onRetry?: (event: RetryEvent) => void | Promise<void>;
}

/**
 * The options without those that are undefined, so that these do not hide a default.
 *
 * @throws TypeError that names a number which is negative or none.
 */
export const given = <Options extends object>(options: Options): Options =>
  Object.fromEntries(
    Object.entries(options).filter(([name, value]) => {
      if (typeof value === "number" && !(value >= 0)) throw new TypeError(`${name} must not be negative`);
      return value !== undefined;
    }),
  ) as Options;

/**
 * Checks a client's options, and makes the address one to append paths to.
 *
 * @throws TypeError that names the option, and never quotes the key.
 */
export function checkOptions(options: ClientOptions): ClientOptions {
  const { baseUrl, apiKey } = options;
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(baseUrl)) {
    throw new TypeError("baseUrl must be an http(s) URL without credentials or query");
  }
  if (!/^[!-~]+$/.test(apiKey ?? "")) throw new TypeError("apiKey must be visible ASCII");
  return { ...given(options), baseUrl: baseUrl.replace(/\/+$/, "") };
}
