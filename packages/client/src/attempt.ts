import { createApiError, NetworkError, type ProjectFeedbackError, TimeoutError } from "./errors.ts";
import { metadataOf, type ResponseMetadata } from "./metadata.ts";
import type { AttemptEvent, ClientOptions, WriteOptions } from "./options.ts";
import { retryAfterOf } from "./rate-limit.ts";
import { now, withTimeout } from "./time.ts";

/** A request as plain data, which can be sent any number of times, with the options of its client and its call. */
export interface PreparedRequest extends Omit<ClientOptions & WriteOptions, "headers"> {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
  /** The request of the path client. A copy of it is sent in place of `url`, so that all its settings apply. */
  readonly request?: Request;
}

/** The result of an attempt. */
export interface AttemptResult {
  /** The response, its body already read; undefined if none came. */
  readonly response?: Response;
  readonly text?: string;
  /** The parsed body, if it is a JSON object. */
  readonly body?: object | undefined;
  readonly metadata: ResponseMetadata;
  /** Undefined on success. */
  readonly error?: ProjectFeedbackError | undefined;
}

function parseObject(text: string): object | undefined {
  try {
    const value = JSON.parse(text);
    if (Object(value) === value) return value;
  } catch {}
  return undefined;
}

/** The error that a response stands for, with the server's own message if it sent one; undefined for a success. */
function responseError(
  { method, url }: PreparedRequest,
  { ok, status, headers }: Response,
  body: object | undefined,
  metadata: ResponseMetadata,
) {
  // HTML from a proxy or half a body is no success, whatever its status.
  if (ok && (body || status === 204)) return undefined;
  const { message, details = [] } = (body ?? {}) as { message?: string; details?: [] };
  return createApiError(status, message ?? `${method} ${url}: answered ${status}, without JSON`, {
    ...metadata,
    status,
    details,
    retryAfterSeconds: retryAfterOf(status, headers),
  });
}

/** Wraps what `fetch` threw, with the message of its innermost cause. */
function networkError(
  { method, url }: PreparedRequest,
  thrown: unknown,
  redact: (text: string) => string,
): NetworkError {
  let message = thrown;
  let trace = "";
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    message = cause.message || (cause as { code?: string }).code;
    trace += cause.stack;
  }
  return new NetworkError(redact(`${method} ${url}: ${message}`), {}, trace === redact(trace) ? { cause: thrown } : {});
}

/**
 * Sends a request once, with the API key, and reads the whole response. The result never contains the key, not even if
 * the server echoes it.
 *
 * @param timeout in milliseconds.
 * @throws the signal's own reason, and whatever a hook throws.
 */
export async function attempt(request: PreparedRequest, event: AttemptEvent, timeout: number): Promise<AttemptResult> {
  const { apiKey, fetch = globalThis.fetch, onRequest, onResponse, method, url, signal } = request;
  // A key of fewer than 8 characters is a test's; replacing it would damage other words.
  const redact = (text: string) => (apiKey[7] ? text.replaceAll(apiKey, "[API key]") : text);

  signal?.throwIfAborted();
  let { headers } = request;
  if (onRequest) {
    const visible = new Headers(headers);
    await onRequest({ ...event, headers: visible });
    // A copy, so that the object given to the hook never gets the key.
    headers = new Headers(visible);
  }
  headers.set("authorization", `Bearer ${apiKey}`);

  const start = now();
  let response: Response;
  let text: string;
  try {
    [response, text] = await withTimeout<[Response, string]>(
      timeout,
      signal,
      async (signal) => {
        // Following a redirect would turn a POST into a GET.
        const init: RequestInit = { method, headers, signal, redirect: "manual" };
        if (request.body) init.body = request.body;
        const response = await fetch(request.request?.clone() ?? url, init);
        return [response, await response.text()];
      },
      () => Promise.reject(new TimeoutError(`${method} ${url}: no answer within ${timeout | 0} ms`)),
    );
  } catch (error) {
    signal?.throwIfAborted();
    return {
      metadata: {} as ResponseMetadata,
      error: error instanceof TimeoutError ? error : networkError(request, error, redact),
    };
  }

  if (!response.ok) text = redact(text);
  const { status, headers: responseHeaders } = response;
  const metadata = metadataOf(responseHeaders);
  await onResponse?.({ ...event, ...metadata, status, headers: responseHeaders, duration: now() - start });
  const body = parseObject(text);
  return { response, text, body, metadata, error: responseError(request, response, body, metadata) };
}
