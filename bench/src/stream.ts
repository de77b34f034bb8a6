// A steady stream of requests: the next is sent in time whatever has become of those before, so a pause is seen in full.

import { setTimeout as sleep } from "node:timers/promises";
import { contractRequest } from "./requests.ts";
import type { Task } from "./work.ts";

/** Longest that an answer is waited for; a server that keeps its word answers within 5 s. */
const patienceMs = 20_000;

/** A request, and what became of it. Times are by the clock of `performance.now()`. */
export interface Sent {
  readonly task: Task;
  readonly isWrite: boolean;
  readonly askedAt: number;
  readonly answeredAt: number;
  /** 0 where there was no answer. */
  readonly status: number;
  readonly retryAfter: string | null;
  /** The answer's body as text, or why there was none. */
  readonly text: string;
}

/** Sends so many tasks a second, and waits for the answers of all. */
export async function sendSteadily(origin: string, tasks: readonly Task[], aSecond: number): Promise<Sent[]> {
  const began = performance.now();
  const answers: Promise<Sent>[] = [];
  for (const [place, task] of tasks.entries()) {
    const early = began + (place * 1_000) / aSecond - performance.now();
    if (early > 1) await sleep(early);
    answers.push(send(origin, task));
  }
  return Promise.all(answers);
}

/** Sends one task. It always resolves: no answer is an outcome too. */
async function send(origin: string, task: Task): Promise<Sent> {
  const { method, path, headers, body } = contractRequest(task);
  const isWrite = method === "POST";
  const askedAt = performance.now();
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(origin + path, { method, headers, signal, ...(body !== undefined && { body }) });
    const text = await response.text();
    const retryAfter = response.headers.get("Retry-After");
    return { task, isWrite, askedAt, answeredAt: performance.now(), status: response.status, retryAfter, text };
  } catch (error) {
    const { message, cause } = error as Error;
    const text = cause instanceof Error ? `${message}: ${cause.message}` : message;
    return { task, isWrite, askedAt, answeredAt: performance.now(), status: 0, retryAfter: null, text };
  }
}
