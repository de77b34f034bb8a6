import { attempt, type Message, type Outcome } from "./attempt.ts";
import type { ProjectFeedbackError } from "./errors.ts";
import { now, sleep } from "./timing.ts";

const KEY = "idempotency-key";

/** What a DELETE comes to where an attempt whose answer was lost did it, and the next finds nothing to delete. */
const DELETED = '{"success":true,"message":"Deleted"}';

/** What Node (`ECONNREFUSED`) and Bun (`ConnectionRefused`) call a connection that was never made: nothing was sent. */
const NEVER_LEFT = /REFUSED$|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT/i;

/** 128 random bits; unlike `randomUUID`, to be had on plain http pages as well. */
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Milliseconds: evenly spread from 0 up, so that callers that failed together come back apart. */
const backoff = (first: number, attempt: number) => Math.random() * Math.min(first * 2 ** (attempt - 1), 5000);

/** Whether nothing can have come of the request: it was refused (S-RATE-3), or never left. Browsers never tell. */
function isUndone({ status, cause }: ProjectFeedbackError): boolean {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (NEVER_LEFT.test((error as { code?: string }).code ?? "")) return true;
  }
  return status === 429;
}

/** Whether another try may fare better: no answer, one of a proxy or an overloaded server, a success cut short. */
const isPassing = (status = 200) => (status > 199 && status < 300) || status === 429 || (status > 501 && status < 505);

/** Sends a request and, as long as that may help and can do no harm, sends it again. */
export async function send(message: Message): Promise<Outcome> {
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
  } = message;
  const deadline = now() + totalTimeout;

  const isWrite = method === "POST" || method === "PATCH";
  if (isWrite && !headers.has(KEY) && (idempotency || idempotencyKey)) headers.set(KEY, idempotencyKey || randomKey());
  const isNamed = isWrite && headers.has(KEY);

  // Whether an attempt may have done its work although its answer was lost.
  let isInDoubt = false;
  let retries = 0;
  for (let number = 1; ; number++) {
    const event = { method, url, attempt: number };
    const outcome = await attempt(message, event, Math.min(attemptTimeout, Math.max(0, deadline - now())));
    const { error } = outcome;
    if (!error) return outcome;

    const { status, retryAfterSeconds } = error;
    if (isInDoubt && method === "DELETE" && status === 404) {
      return { response: new Response(), text: DELETED, body: JSON.parse(DELETED), facts: outcome.facts };
    }
    // The attempt before, with this key, is still running.
    const isRunning = isNamed && status === 409 && (isInDoubt || retryAfterSeconds !== undefined);
    const isSafe = !isWrite || isNamed || isUndone(error);
    const asked = (retryAfterSeconds ?? 0) * 1000;
    const mayWait = (waitForRateLimit && status === 429) || (asked <= maxRetryAfter && retries++ < maxRetries);
    const delay = asked + backoff(retryDelay, number);
    if (!(isPassing(status) || isRunning) || !isSafe || !mayWait || now() + delay >= deadline) return outcome;

    isInDoubt ||= !isUndone(error);
    await onRetry?.({ ...event, delay, error });
    await sleep(delay, signal);
  }
}
