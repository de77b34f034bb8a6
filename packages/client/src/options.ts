import type { ProjectFeedbackError } from "./errors.ts";
import type { ResponseMetadata } from "./metadata.ts";

/** An attempt, as hooks see it. It never contains the API key. */
export interface AttemptEvent {
  /** HTTP method. */
  readonly method: string;
  /** URL, including the query. */
  readonly url: string;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
}

/** An attempt that is about to be sent. */
export interface RequestEvent extends AttemptEvent {
  /** The headers to send, without `Authorization`. A hook may change them, for example set `traceparent`. */
  readonly headers: Headers;
}

/** An attempt that got a response. */
export interface ResponseEvent extends AttemptEvent, ResponseMetadata {
  /** HTTP status. */
  readonly status: number;
  /** The headers of the response. */
  readonly headers: Headers;
  /** Milliseconds from sending to the end of the body. */
  readonly duration: number;
}

/** An attempt that failed and will be followed by another. */
export interface RetryEvent extends AttemptEvent {
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  /** Why the attempt failed. */
  readonly error: ProjectFeedbackError;
}

/** Retries and timeouts. The options of a call override those of its client. */
export interface RetryOptions {
  /** Milliseconds for each attempt, including reading its body. Default 30,000; `Infinity` for no limit. */
  readonly attemptTimeout?: number;
  /**
   * Milliseconds for the whole call, including retries and the waits between them. Default 60,000, or `Infinity` with
   * `waitForRateLimit`.
   */
  readonly totalTimeout?: number;
  /** Retries after the first attempt. Default 10: about 13 s of waiting, enough for a server to restart. */
  readonly maxRetries?: number;
  /** Longest wait before the first retry, in milliseconds. It doubles with each retry, up to 5,000. Default 100. */
  readonly retryDelay?: number;
  /** Longest wait that a server may ask for, in milliseconds. If it asks for more, the call fails at once. Default 30,000. */
  readonly maxRetryAfter?: number;
  /** Whether to wait for the next window, up to an hour, when the allowance is used up. Default false. */
  readonly waitForRateLimit?: boolean;
  /**
   * Whether a POST or PATCH carries an `Idempotency-Key`, so that a retry cannot repeat the write (C-IDEM-1). Default
   * true. Set it to false for a server that does not support the header. A write is then retried only if the server
   * cannot have processed it: no connection was made, or the response was a 429.
   */
  readonly idempotency?: boolean;
}

/** Options of one call. */
export interface CallOptions extends RetryOptions {
  /** Cancels the call at any time. The call then throws the signal's own reason. */
  readonly signal?: AbortSignal;
  /** Additional headers. They override those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of a call that writes. */
export interface WriteOptions extends CallOptions {
  /** Identifies this write across processes and restarts, 1 to 255 visible characters. Default: random for each call. */
  readonly idempotencyKey?: string;
}

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Maximum number of pages that an iteration reads. Default: all. */
  readonly maxPages?: number;
}

/** Options of a client. */
export interface ClientOptions extends RetryOptions {
  /** URL of the deployment, including the version: `https://feedback.example.com/v1`. */
  readonly baseUrl: string;
  /** The API key. It is sent as a bearer token and never shown. */
  readonly apiKey: string;
  /** Sends the requests, called as `fetch(url, init)`. Default: the global `fetch`. */
  readonly fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Headers that every request carries. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called and awaited before each attempt. An error thrown by a hook ends the call. */
  readonly onRequest?: (event: RequestEvent) => void | Promise<void>;
  /** Called after each attempt that got a response. */
  readonly onResponse?: (event: ResponseEvent) => void | Promise<void>;
  /** Called before the wait for the next attempt. */
  readonly onRetry?: (event: RetryEvent) => void | Promise<void>;
}

/**
 * Removes the options that are undefined, so that they do not hide a default.
 *
 * @throws TypeError that names an option whose number is negative or NaN.
 */
export const definedOptions = <Options extends object>(options: Options): Options =>
  Object.fromEntries(
    Object.entries(options).filter(([name, value]) => {
      if (typeof value === "number" && !(value >= 0)) throw new TypeError(`${name} must not be negative`);
      return value !== undefined;
    }),
  ) as Options;

/**
 * Checks the options of a client, and removes trailing slashes from `baseUrl`.
 *
 * @throws TypeError that names the invalid option and never quotes the key.
 */
export function checkOptions(options: ClientOptions): ClientOptions {
  const { baseUrl, apiKey } = options;
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(baseUrl)) {
    throw new TypeError("baseUrl must be an http(s) URL without credentials or query");
  }
  if (!/^[!-~]+$/.test(apiKey ?? "")) throw new TypeError("apiKey must be visible ASCII");
  return { ...definedOptions(options), baseUrl: baseUrl.replace(/\/+$/, "") };
}
