import { type AttemptResult, attempt, deleted, type PreparedRequest, timeoutError } from "./attempt.ts";
import { log } from "./log.ts";
import { PERMANENT } from "./network-error.ts";
import type { CallConfiguration } from "./options.ts";
import { pauseOf } from "./throttle.ts";
import { now, sleep } from "./time.ts";

const IDEMPOTENCY_KEY = "idempotency-key";

/** A unique key. React Native has no `crypto`, and pages that are served over plain http have no `randomUUID`. */
const randomKey = () => globalThis.crypto?.randomUUID?.() ?? `${Date.now()}-${Math.random()}-${Math.random()}`;

/** Milliseconds, evenly spread from 0 up, so that callers that failed together do not return together. */
const backoff = (first: number, attempt: number) => Math.random() * Math.min(first * 2 ** (attempt - 1), 5000);

/** Node and Bun (`ENOTFOUND`) and Deno (`dns error`) for an unknown host: few retries, as it rarely becomes known. */
const UNKNOWN_HOST = /NOTFOUND|dns/;
const UNKNOWN_HOST_RETRIES = 3;

/** Node and Bun (`ECONNREFUSED`) and Deno (`(Connect)`) for a connection that was never made. Browsers do not say. */
const NOT_CONNECTED = /REFUSED|NOTFOUND|AGAIN|CONNECT_TIMEOUT|\(Connect/;

/** How much a success without rate headers raises the capacity: by one request after 32 of them. */
const GROWTH = 1 / 32;

/** Sends a request, and sends it again as long as that may help and cannot repeat a write. */
export async function send(options: CallConfiguration, request: PreparedRequest): Promise<AttemptResult> {
  const {
    attemptTimeout = 30_000,
    waitForRateLimit,
    totalTimeout = waitForRateLimit ? Infinity : 60_000,
    maxRetries = 10,
    retryDelay = 100,
    maxRetryAfter = 30_000,
    idempotency = true,
    idempotencyKey,
    debug,
    throttle,
    signal,
  } = options;
  const { method, url, headers } = request;
  const deadline = now() + totalTimeout;
  const timeLeft = () => Math.max(0, deadline - now());

  const isWrite = method === "POST" || method === "PATCH";
  if (isWrite && (idempotency || idempotencyKey)) headers[IDEMPOTENCY_KEY] ??= idempotencyKey || randomKey();
  const hasKey = isWrite && IDEMPOTENCY_KEY in headers;

  // Whether an attempt may have been processed although its response was lost.
  let isInDoubt = false;
  let retries = 0;
  for (let number = 1; ; number++) {
    // A call that may not retry does not wait for the others either.
    const maxPause = waitForRateLimit ? Infinity : maxRetries && maxRetryAfter;
    for (;;) {
      const pause = pauseOf(throttle, Math.min(maxPause, timeLeft()));
      if (!pause) break;
      if (!timeLeft()) throw timeoutError(request, totalTimeout);
      await sleep(Math.min(pause, timeLeft()), signal, (wake) => throttle.waiting.push(wake));
    }
    throttle.inFlight++;
    const event = { method, url, attempt: number };
    let result: AttemptResult = {};
    try {
      result = await attempt(options, request, event, Math.min(attemptTimeout, timeLeft()));
    } finally {
      throttle.inFlight--;
      for (const wake of throttle.waiting.splice(0)) wake();
    }
    const { error, metadata, codes = "" } = result;
    const line = () => `${method} ${url}: attempt ${number}: ${error ?? "success"}`;
    if (!error) {
      throttle.capacity = Math.max(1, metadata?.rateLimit?.remaining ?? throttle.capacity + GROWTH);
      if (debug) log(debug, line());
      return result;
    }

    const { status, retryAfterSeconds = 0 } = error;
    const requested = retryAfterSeconds * 1000;
    const delay = requested + backoff(retryDelay, number);
    const isLimited = status === 429;
    if (isLimited) {
      throttle.capacity = 1;
      throttle.resumeAt = Math.max(throttle.resumeAt, now() + delay);
    }
    if (isInDoubt && method === "DELETE" && status === 404) {
      return { ...result, response: new Response(), body: deleted(), error: undefined };
    }
    const isUnprocessed = isLimited || NOT_CONNECTED.test(codes);
    // An earlier attempt with this key is still running.
    const isRunning = hasKey && status === 409 && (isInDoubt || error.retryAfterSeconds !== undefined);
    const mayWait =
      (waitForRateLimit && isLimited) ||
      (requested <= maxRetryAfter &&
        retries++ < (UNKNOWN_HOST.test(codes) ? Math.min(maxRetries, UNKNOWN_HOST_RETRIES) : maxRetries));
    const isUseful = codes !== PERMANENT || isRunning;
    const isSafe = !isWrite || hasKey || isUnprocessed;
    if (!isUseful || !isSafe || !mayWait || delay >= timeLeft()) {
      if (debug) log(debug, line());
      return result;
    }
    isInDoubt ||= !isUnprocessed;
    log(debug, `${line()}. Next attempt in ${delay | 0} ms`, number < 2);
    await options.onRetry?.({ ...event, delay, error });
    await sleep(delay, signal);
  }
}
