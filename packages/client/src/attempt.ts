import { type ProjectFeedbackError, TimeoutError } from "./errors.ts";
import type { NormalizedHeaders } from "./headers.ts";
import { metadataOf, type ResponseMetadata } from "./metadata.ts";
import { networkError, PERMANENT } from "./network-error.ts";
import { type AttemptEvent, type CallConfiguration, checkApiKey, type FetchResponse } from "./options.ts";
import { responseError } from "./response-error.ts";
import { now, throwIfAborted, withTimeout } from "./time.ts";

/** A request as plain data, which can be sent any number of times. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: NormalizedHeaders;
  readonly body?: string | undefined;
  /** Other settings for `fetch`, from the path client. */
  readonly init?: object;
  /** Whether an object is the body of a success. Default: every object is. */
  readonly isExpected?: (body: object) => boolean;
}

/** The result of an attempt. */
export interface AttemptResult {
  /** The response, its body already read; undefined if none came. */
  readonly response?: FetchResponse;
  /** The parsed body; undefined if it is not JSON. */
  readonly body?: unknown;
  readonly metadata?: ResponseMetadata;
  /** Undefined on success. */
  readonly error?: ProjectFeedbackError | undefined;
  /** Codes and messages that say whether another attempt may help. */
  readonly codes?: string;
}

/** The body of a deletion whose response has none or was lost. */
export const deleted = () => ({ success: true, message: "Deleted" });

/** The error of a call or an attempt that took too long. */
export const timeoutError = ({ method, url }: PreparedRequest, milliseconds: number): TimeoutError =>
  new TimeoutError(`${method} ${url}: no answer within ${milliseconds | 0} ms`);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Statuses of proxies and overloaded servers. */
const TRANSIENT = /429|50[2-4]/;

/**
 * Sends a request once, with the API key, and reads the whole response. The result never contains the key, not even if
 * the server echoes it.
 *
 * @param timeout in milliseconds.
 * @throws the signal's own reason, and whatever a hook or the `apiKey` function throws.
 */
export async function attempt(
  { apiKey, fetch = globalThis.fetch, onRequest, onResponse, onError, signal }: CallConfiguration,
  request: PreparedRequest,
  event: AttemptEvent,
  timeout: number,
): Promise<AttemptResult> {
  const { method, url, body, init, isExpected } = request;
  const name = `${method} ${url}`;
  throwIfAborted(signal);
  // Empty until the request is sent: what is thrown before that ends the call.
  let key = "";
  let start = 0;
  // A key of fewer than 8 characters is a test's; replacing it would damage other words.
  const redact = (text: string) => (key[7] ? text.replaceAll(key, "[API key]") : text);

  let response: FetchResponse;
  let text: string;
  try {
    const received = await withTimeout<[FetchResponse, string]>(timeout, signal, async (signal) => {
      let { headers } = request;
      const current = typeof apiKey === "function" ? checkApiKey(await apiKey()) : apiKey;
      if (onRequest) {
        const visible = new Headers(headers);
        await onRequest({ ...event, headers: visible });
        headers = Object.fromEntries(visible);
      }
      key = current;
      start = now();
      const response = await fetch(url, {
        ...init,
        method,
        headers: { ...headers, authorization: `Bearer ${key}` },
        ...(body && { body }),
        redirect: "manual",
        signal,
      });
      return [response, await response.text()];
    });
    if (!received) throw timeoutError(request, timeout);
    [response, text] = received;
  } catch (thrown) {
    if (!key) throw thrown;
    const failure = thrown instanceof TimeoutError ? { error: thrown } : networkError(name, thrown, redact);
    await onError?.({ ...event, error: failure.error, duration: now() - start });
    throwIfAborted(signal);
    return failure;
  }

  const { ok, status } = response;
  const metadata = metadataOf(response.headers);
  const success = status === 204 && method === "DELETE" ? deleted() : parse(text);
  const isObject = success === Object(success);
  const isSuccess = ok && isObject && isExpected?.(success as object) !== false;
  const result = { response, body: success, metadata };
  if (isSuccess && !onResponse) return result;

  const duration = now() - start;
  // A hook and an error get the headers without the key.
  const headers = new Headers(Array.from(response.headers, ([name, value]): [string, string] => [name, redact(value)]));
  await onResponse?.({ ...event, ...metadata, status, headers, duration });
  if (isSuccess) return result;
  text = redact(text);
  const failure = parse(text);
  return {
    ...result,
    body: failure,
    error: responseError(name, response, headers, text, failure, metadata),
    // Another attempt cannot change the body of a success, but HTML or half a body may come from a proxy.
    codes: (ok ? isObject || status === 204 : !TRANSIENT.test(`${status}`)) ? PERMANENT : "",
  };
}
