// What callers noticed of the primary's death, and what should not have happened to them.

import type { Sent } from "./stream.ts";

/** Longest that a caller waits for any answer, in milliseconds. */
const longestAnswerMs = 5_000;
/** Before the kill, this long is compared with: the first seconds are a cold server's. */
const comparedMs = 5_000;

/** How long answers with success took. */
interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

/** What was measured. Times are in milliseconds. */
export interface Continuity {
  readonly requests: number;
  /** Status → answers; 0 for requests without one. */
  readonly answers: Readonly<Record<string, number>>;
  readonly writes: {
    readonly acknowledged: number;
    readonly refused: number;
    /** From the kill to the first acknowledgement after it of a write sent after it; null where there was none. */
    readonly pauseMs: number | null;
    /** Between two acknowledgements, the second of them after the kill. */
    readonly longestGapMs: number;
  };
  readonly reads: {
    readonly answered: number;
    readonly refused: number;
    /** Between two that succeeded, the second of them after the kill. */
    readonly longestGapMs: number;
    /** Sent and answered in the last seconds before the kill, to compare with. */
    readonly before: Latency;
    /** Sent and answered while writes paused. */
    readonly inPause: Latency & { readonly answered: number; readonly refused: number };
  };
  /** The slowest answer of all, after the kill. */
  readonly slowestMs: number;
}

/** Sums up a stream in which the primary was killed at a time. */
export function continuityOf(sent: readonly Sent[], killedAt: number): Continuity {
  const [writes, reads] = [sent.filter(({ isWrite }) => isWrite), sent.filter(({ isWrite }) => !isWrite)];
  const sentAfter = sent.filter(({ askedAt }) => askedAt > killedAt);
  const firstWrite = sentAfter.filter((each) => each.isWrite && isSuccess(each)).toSorted(byAnswer)[0];
  const pauseEnd = firstWrite?.answeredAt ?? Number.POSITIVE_INFINITY;
  const within = (from: number, to: number) => reads.filter((each) => each.askedAt > from && each.answeredAt < to);
  const inPause = within(killedAt, pauseEnd);
  const counts = Map.groupBy(sent, ({ status }) => status);
  return {
    requests: sent.length,
    answers: Object.fromEntries([...counts].map(([status, all]) => [status, all.length])),
    writes: {
      acknowledged: writes.filter(isSuccess).length,
      refused: writes.filter(isRefused).length,
      pauseMs: firstWrite ? pauseEnd - killedAt : null,
      longestGapMs: longestGapOf(writes, killedAt),
    },
    reads: {
      answered: reads.filter(isSuccess).length,
      refused: reads.filter(isRefused).length,
      longestGapMs: longestGapOf(reads, killedAt),
      before: latencyOf(within(killedAt - comparedMs, killedAt)),
      inPause: {
        answered: inPause.filter(isSuccess).length,
        refused: inPause.filter(isRefused).length,
        ...latencyOf(inPause),
      },
    },
    slowestMs: Math.max(...sentAfter.map(({ askedAt, answeredAt }) => answeredAt - askedAt)),
  };
}

/** A sentence for each thing that no caller should have met, with what it answered. */
export function faultsOf(sent: readonly Sent[]): string[] {
  return sent.flatMap((each) => {
    const { task, status, text, retryAfter, askedAt, answeredAt } = each;
    const ms = answeredAt - askedAt;
    const what = `A ${task.item.kind}`;
    if (status === 0) return `${what} got no answer (${text}).`;
    if (!isSuccess(each) && !isRefused(each)) return `${what} was answered ${status}: ${text}`;
    if (isRefused(each) && !(Number(retryAfter) > 0)) return `${what} was answered 503 without Retry-After: ${text}`;
    if (ms > longestAnswerMs) return `${what} was answered ${status} after ${ms.toFixed(0)} ms.`;
    return [];
  });
}

/** Whether the server did what was asked. */
export function isSuccess({ status }: Sent): boolean {
  return status >= 200 && status < 300;
}

function isRefused({ status }: Sent): boolean {
  return status === 503;
}

function longestGapOf(sent: readonly Sent[], killedAt: number): number {
  const times = sent
    .filter(isSuccess)
    .toSorted(byAnswer)
    .map(({ answeredAt }) => answeredAt);
  const gaps = times.map((time, place) => (time > killedAt ? time - (times[place - 1] ?? time) : 0));
  return Math.max(0, ...gaps);
}

function latencyOf(sent: readonly Sent[]): Latency {
  const times = sent.filter(isSuccess).map(({ askedAt, answeredAt }) => answeredAt - askedAt);
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}

function byAnswer(a: Sent, b: Sent): number {
  return a.answeredAt - b.answeredAt;
}
