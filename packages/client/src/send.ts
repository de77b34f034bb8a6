import { type AttemptResult, attempt, type PreparedRequest } from "./attempt.ts";
import type { ProjectFeedbackError } from "./errors.ts";
import { now, sleep } from "./time.ts";

const IDEMPOTENCY_KEY = "idempotency-key";

/** The body of a DELETE whose first response was lost and whose next attempt finds nothing to delete. */
const DELETED = '{"success":true,"message":"Deleted"}';

/** Error codes of Node (`ECONNREFUSED`) and Bun (`ConnectionRefused`) for a connection that was never made. */
const NOT_CONNECTED = /REFUSED$|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT/i;

/** 128 random bits. `randomUUID` is missing on pages that are served over plain http. */
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Milliseconds, evenly spread from 0 up, so that callers that failed together do not return together. */
const backoff = (first: number, attempt: number) => Math.random() * Math.min(first * 2 ** (attempt - 1), 5000);

/** Whether the server cannot have processed the request: it was refused (S-RATE-3) or never sent. Browsers do not say. */
function wasNotProcessed({ status, cause }: ProjectFeedbackError): boolean {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (NOT_CONNECTED.test((error as { code?: string }).code ?? "")) return true;
  }
  return status === 429;
}

/** Whether another attempt may succeed: no response, one of a proxy or an overloaded server, or a broken success. */
const isTransient = (status = 200) =>
  (status > 199 && status < 300) || status === 429 || (status > 501 && status < 505);

/** Sends a request, and sends it again as long as that may help and cannot repeat a write. */
export async function send(request: PreparedRequest): Promise<AttemptResult> {
  const {
    attemptTimeout = 30_000,
    waitForRateLimit,
    totalTimeout = waitForRateLimit ? Infinity : 60_000,
    maxRetries = 10,
    retryDelay = 100,
    maxRetryAfter = 30_000,
    idempotency = true,
    idempotencyKey,
    onRetry,
    method,
    url,
    headers,
    signal,
  } = request;
  const deadline = now() + totalTimeout;

  const isWrite = method === "POST" || method === "PATCH";
  if (isWrite && !headers.has(IDEMPOTENCY_KEY) && (idempotency || idempotencyKey)) {
    headers.set(IDEMPOTENCY_KEY, idempotencyKey || randomKey());
  }
  const hasKey = isWrite && headers.has(IDEMPOTENCY_KEY);

  // Whether an attempt may have been processed although its response was lost.
  let mayBeProcessed = false;
  let retries = 0;
  for (let number = 1; ; number++) {
    const event = { method, url, attempt: number };
    const result = await attempt(request, event, Math.min(attemptTimeout, Math.max(0, deadline - now())));
    const { error } = result;
    if (!error) return result;

    const { status, retryAfterSeconds } = error;
    if (mayBeProcessed && method === "DELETE" && status === 404) {
      return { response: new Response(), text: DELETED, body: JSON.parse(DELETED), metadata: result.metadata };
    }
    // An earlier attempt with this key is still running.
    const isRunning = hasKey && status === 409 && (mayBeProcessed || retryAfterSeconds !== undefined);
    const isSafe = !isWrite || hasKey || wasNotProcessed(error);
    const requested = (retryAfterSeconds ?? 0) * 1000;
    const mayWait = (waitForRateLimit && status === 429) || (requested <= maxRetryAfter && retries++ < maxRetries);
    const delay = requested + backoff(retryDelay, number);
    if (!(isTransient(status) || isRunning) || !isSafe || !mayWait || now() + delay >= deadline) return result;

    mayBeProcessed ||= !wasNotProcessed(error);
    await onRetry?.({ ...event, delay, error });
    await sleep(delay, signal);
  }
}
