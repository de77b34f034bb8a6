// Requests at a constant rate. Each is sent on time, whether earlier ones were answered or not, so a pause is seen in full.

import { setTimeout as sleep } from "node:timers/promises";
import { contractRequest } from "./requests.ts";
import type { Task } from "./work.ts";

/** Longest wait for a response; the server promises one within 5 s. */
const timeoutMs = 20_000;

/** A request and its outcome. Times are those of `performance.now()`. */
export interface Sent {
  readonly task: Task;
  readonly isWrite: boolean;
  readonly sentAt: number;
  readonly endedAt: number;
  /** 0 where there was no response. */
  readonly status: number;
  readonly retryAfter: string | null;
  /** The body of the response, or why there was none. */
  readonly text: string;
}

/** Sends tasks at a rate per second, and waits for all responses. */
export async function sendSteadily(origin: string, tasks: readonly Task[], perSecond: number): Promise<Sent[]> {
  const began = performance.now();
  const answers: Promise<Sent>[] = [];
  for (const [place, task] of tasks.entries()) {
    const early = began + (place * 1_000) / perSecond - performance.now();
    if (early > 1) await sleep(early);
    answers.push(send(origin, task));
  }
  return Promise.all(answers);
}

/** Sends one task. It never rejects: no response is an outcome too. */
async function send(origin: string, task: Task): Promise<Sent> {
  const { method, path, headers, body } = contractRequest(task);
  const isWrite = method === "POST";
  const sentAt = performance.now();
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(origin + path, { method, headers, signal, ...(body !== undefined && { body }) });
    const text = await response.text();
    const retryAfter = response.headers.get("Retry-After");
    return { task, isWrite, sentAt, endedAt: performance.now(), status: response.status, retryAfter, text };
  } catch (error) {
    const { message, cause } = error as Error;
    const text = cause instanceof Error ? `${message}: ${cause.message}` : message;
    return { task, isWrite, sentAt, endedAt: performance.now(), status: 0, retryAfter: null, text };
  }
}
