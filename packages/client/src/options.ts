import type { NetworkError, ProjectFeedbackError } from "./errors.ts";
import { type HeaderValues, mergeHeaders, type NormalizedHeaders } from "./headers.ts";
import type { Debug } from "./log.ts";
import type { ResponseMetadata } from "./metadata.ts";
import { createThrottle, type Throttle } from "./throttle.ts";
import { VERSION } from "./version.ts";

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

/** An attempt that ended without a complete response. */
export interface ErrorEvent extends AttemptEvent {
  /** Why there is no response. If the call was canceled, `cause` is the reason of the signal. */
  readonly error: NetworkError;
  /** Milliseconds from sending to the failure. */
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
  readonly attemptTimeout?: number | undefined;
  /**
   * Milliseconds for the whole call, including retries and the waits between them. Default 60,000, or `Infinity` with
   * `waitForRateLimit`.
   */
  readonly totalTimeout?: number | undefined;
  /** Retries after the first attempt. Default 10: about 13 s of waiting, enough for a server to restart. */
  readonly maxRetries?: number | undefined;
  /** Longest wait before the first retry, in milliseconds. It doubles with each retry, up to 5,000. Default 100. */
  readonly retryDelay?: number | undefined;
  /** Longest wait that a server may ask for, in milliseconds. If it asks for more, the call fails at once. Default 30,000. */
  readonly maxRetryAfter?: number | undefined;
  /** Whether to wait for the next window, up to an hour, when the allowance is used up. Default false. */
  readonly waitForRateLimit?: boolean | undefined;
  /**
   * Whether a POST or PATCH carries an `Idempotency-Key`, so that a retry cannot repeat the write (C-IDEM-1). Default
   * true. Set it to false for a server that does not support the header. A write is then retried only if the server
   * cannot have processed it: no connection was made, or the response was a 429.
   */
  readonly idempotency?: boolean | undefined;
}

/** Options of one call. */
export interface CallOptions extends RetryOptions {
  /** Cancels the call at any time. The call then throws the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Additional headers. They override those of the client, whatever their case; `undefined` removes a header. */
  readonly headers?: HeaderValues | undefined;
}

/** Options of a call that writes. */
export interface WriteOptions extends CallOptions {
  /** Identifies this write across processes and restarts, 1 to 255 visible characters. Default: random for each call. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a call that deletes. */
export interface DeleteOptions extends CallOptions {
  /**
   * The `ETag` of the record that you read. If the record has changed since, the call changes nothing and throws a
   * `PreconditionFailedError` (C-COND-1).
   */
  readonly ifMatch?: string | undefined;
}

/** Options of a call that changes a record. */
export interface ChangeOptions extends WriteOptions, DeleteOptions {}

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Maximum number of pages that an iteration reads. Default: all. */
  readonly maxPages?: number | undefined;
}

/** What `fetch` is called with. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Following a redirect would turn a POST into a GET. */
  readonly redirect: "manual";
}

/** The part of a `Response` that the client needs. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Iterable<[string, string]> & { get(name: string): string | null };
  text(): Promise<string>;
}

/** Options of a client. */
export interface ClientOptions extends RetryOptions {
  /** URL of the deployment, including the version: `https://feedback.example.com/v1`. */
  readonly baseUrl: string;
  /** The API key, or a function that returns it, called before each attempt. It is sent as a bearer token and never shown. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** Sends the requests. Default: the global `fetch`. The `fetch` of undici is accepted too. */
  readonly fetch?: ((url: string, init: FetchInit) => Promise<FetchResponse>) | undefined;
  /** Headers of all requests. A header that is `undefined` is not sent. */
  readonly headers?: HeaderValues | undefined;
  /** Called and awaited before each attempt. An error thrown by a hook ends the call. */
  readonly onRequest?: ((event: RequestEvent) => void | Promise<void>) | undefined;
  /** Called after each attempt that got a response, whatever its status. */
  readonly onResponse?: ((event: ResponseEvent) => void | Promise<void>) | undefined;
  /** Called after each attempt that got no complete response, including the last. */
  readonly onError?: ((event: ErrorEvent) => void | Promise<void>) | undefined;
  /** Called before the wait for the next attempt. */
  readonly onRetry?: ((event: RetryEvent) => void | Promise<void>) | undefined;
  /**
   * Logs every attempt and retry: to the console (true) or to a function. Default: `console.warn` for the first retry of
   * a call, and nothing else. With false nothing is logged.
   */
  readonly debug?: Debug;
}

/** The checked options of a client, with the state that its calls share. */
export interface ClientConfiguration extends Omit<ClientOptions, "headers"> {
  readonly headers: NormalizedHeaders;
  readonly throttle: Throttle;
}

/** The options of a client and of one of its calls. */
export interface CallConfiguration extends ClientConfiguration, Omit<ChangeOptions, "headers"> {}

/**
 * Removes the options that are undefined, so that they do not hide a default.
 *
 * @throws TypeError that names an option whose number is negative or NaN.
 */
export const definedOptions = <Options extends object>(options: Options | undefined): Options =>
  Object.fromEntries(
    Object.entries(options ?? {}).filter(([name, value]) => {
      if (typeof value === "number" && !(value >= 0)) throw new TypeError(`${name} must not be negative`);
      return value !== undefined;
    }),
  ) as Options;

/**
 * Checks an API key.
 *
 * @throws TypeError that never quotes the key.
 */
export function checkApiKey(key: string): string {
  if (!key) throw new TypeError("apiKey is missing");
  if (!/^[!-~]+$/.test(key)) throw new TypeError("apiKey must be visible ASCII");
  return key;
}

/** Browsers set `User-Agent` themselves, and would ask the server for permission to send another. */
const userAgent = () => (globalThis.navigator?.product === "Gecko" ? undefined : `project-feedback-client/${VERSION}`);

/**
 * Checks the options of a client, and removes trailing slashes from `baseUrl`.
 *
 * @throws TypeError that names the invalid option and never quotes the key.
 */
export function configure(options: ClientOptions, throttle = createThrottle()): ClientConfiguration {
  const { baseUrl, apiKey } = options;
  // React Native has no URL.canParse.
  if (!/^https?:\/\/[^\s?#@]+$/i.test(baseUrl) || URL.canParse?.(baseUrl) === false) {
    throw new TypeError("baseUrl must be an http(s) URL without query or user");
  }
  if (typeof apiKey !== "function") checkApiKey(apiKey);
  return {
    ...definedOptions(options),
    baseUrl: baseUrl.replace(/\/+$/, ""),
    headers: mergeHeaders({}, { "user-agent": userAgent(), ...options.headers }),
    throttle,
  };
}
