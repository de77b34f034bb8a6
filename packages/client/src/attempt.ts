import { errorOf, NetworkError, type ProjectFeedbackError, TimeoutError } from "./errors.ts";
import type { AttemptEvent, ClientOptions, WriteOptions } from "./options.ts";
import { retryAfterOf } from "./rate-limit.ts";
import { type AnswerFacts, factsOf } from "./result.ts";
import { now, within } from "./timing.ts";

/** A request as plain data, which can be sent any number of times; with the options of its client and its call. */
export interface Message extends Omit<ClientOptions & WriteOptions, "headers"> {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
  /** What to send instead, of each time a copy: the request of the client for paths, and all that it may bear. */
  readonly request?: Request;
}

/** What came of an attempt. */
export interface Outcome {
  /** The answer, its body read; undefined where none came. */
  readonly response?: Response;
  readonly text?: string;
  /** What the body says, where it is a JSON object. */
  readonly body?: object | undefined;
  /** What else the answer told. */
  readonly facts: AnswerFacts;
  /** Why it is no success. */
  readonly error?: ProjectFeedbackError | undefined;
}

function parse(text: string): object | undefined {
  try {
    const value = JSON.parse(text);
    if (Object(value) === value) return value;
  } catch {}
  return undefined;
}

/** The error that an answer is, in the server's own words where it has some; undefined where it is a success. */
function failureOf(
  { method, url }: Message,
  { ok, status, headers }: Response,
  body: object | undefined,
  facts: AnswerFacts,
) {
  // HTML from a proxy is no success, whatever its status, nor is half a body.
  if (ok && (body || status === 204)) return undefined;
  const { message, details = [] } = (body ?? {}) as { message?: string; details?: [] };
  return errorOf(status, message ?? `${method} ${url}: answered ${status}, without JSON`, {
    ...facts,
    status,
    details,
    retryAfterSeconds: retryAfterOf(status, headers),
  });
}

/** The error that stands for what `fetch` threw, in the words of its innermost cause. */
function faultOf({ method, url }: Message, thrown: unknown, redact: (text: string) => string): NetworkError {
  let words = thrown;
  let trace = "";
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    words = cause.message || (cause as { code?: string }).code;
    trace += cause.stack;
  }
  return new NetworkError(redact(`${method} ${url}: ${words}`), {}, trace === redact(trace) ? { cause: thrown } : {});
}

/**
 * Sends a request once, with the key, and reads the answer whole. What comes of it bears the key nowhere, not even
 * where the other side echoes it.
 *
 * @param time milliseconds that it may take.
 * @throws the signal's own reason, and what a hook throws.
 */
export async function attempt(message: Message, event: AttemptEvent, time: number): Promise<Outcome> {
  const { apiKey, fetch = globalThis.fetch, onRequest, onResponse, method, url, body, request, signal } = message;
  // Nobody has a key so short but a test, and its letters may be any word's.
  const redact = (text: string) => (apiKey[7] ? text.replaceAll(apiKey, "[API key]") : text);

  signal?.throwIfAborted();
  let { headers } = message;
  if (onRequest) {
    const visible = new Headers(headers);
    await onRequest({ ...event, headers: visible });
    // A copy, so that what the hook was given never bears the key.
    headers = new Headers(visible);
  }
  headers.set("authorization", `Bearer ${apiKey}`);

  const start = now();
  let response: Response;
  let text: string;
  try {
    [response, text] = await within<[Response, string]>(
      time,
      signal,
      async (signal) => {
        // A redirect that is followed would turn a POST into a GET.
        const init: RequestInit = { method, headers, signal, redirect: "manual" };
        if (body) init.body = body;
        const response = await fetch(request?.clone() ?? url, init);
        return [response, await response.text()];
      },
      () => Promise.reject(new TimeoutError(`${method} ${url}: no answer within ${time | 0} ms`)),
    );
  } catch (error) {
    signal?.throwIfAborted();
    return { facts: {} as AnswerFacts, error: error instanceof TimeoutError ? error : faultOf(message, error, redact) };
  }

  if (!response.ok) text = redact(text);
  const { status, headers: told } = response;
  const facts = factsOf(told);
  await onResponse?.({ ...event, ...facts, status, headers: told, duration: now() - start });
  const answer = parse(text);
  return { response, text, body: answer, facts, error: failureOf(message, response, answer, facts) };
}
