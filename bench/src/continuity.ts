// What callers noticed when the primary died, and what must not have happened to them.

import type { Sent } from "./stream.ts";

/** The server promises every response within this time. */
const longestResponseMs = 5_000;
/** The time before the kill that latencies are compared with; before it, the server is still warming up. */
const baselineMs = 5_000;

/** Of 2xx responses. */
interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

/** What was measured, in milliseconds. */
export interface Continuity {
  readonly requests: number;
  /** Status → responses; 0 counts requests without a response. */
  readonly answers: Readonly<Record<string, number>>;
  readonly writes: {
    readonly acknowledged: number;
    readonly refused: number;
    /** From the kill to the first acknowledgement of a write that was sent after it; null where there was none. */
    readonly pauseMs: number | null;
    /** The longest time between two acknowledgements, of which the second came after the kill. */
    readonly longestGapMs: number;
  };
  readonly reads: {
    readonly answered: number;
    readonly refused: number;
    /** The longest time between two successful reads, of which the second ended after the kill. */
    readonly longestGapMs: number;
    /** Sent and answered in the last seconds before the kill. */
    readonly before: Latency;
    /** Sent and answered while writes paused. */
    readonly inPause: Latency & { readonly answered: number; readonly refused: number };
  };
  /** The slowest response after the kill. */
  readonly slowestMs: number;
}

/** Summarizes a stream of requests during which the primary was killed. */
export function continuityOf(sent: readonly Sent[], killedAt: number): Continuity {
  const [writes, reads] = [sent.filter(({ isWrite }) => isWrite), sent.filter(({ isWrite }) => !isWrite)];
  const sentAfter = sent.filter(({ sentAt }) => sentAt > killedAt);
  const firstWrite = sentAfter.filter((each) => each.isWrite && isSuccess(each)).toSorted(byEnd)[0];
  const pauseEnd = firstWrite?.endedAt ?? Number.POSITIVE_INFINITY;
  const within = (from: number, to: number) => reads.filter((each) => each.sentAt > from && each.endedAt < to);
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
      before: latencyOf(within(killedAt - baselineMs, killedAt)),
      inPause: {
        answered: inPause.filter(isSuccess).length,
        refused: inPause.filter(isRefused).length,
        ...latencyOf(inPause),
      },
    },
    slowestMs: Math.max(...sentAfter.map(({ sentAt, endedAt }) => endedAt - sentAt)),
  };
}

/** A sentence for each outcome that no caller should have seen. */
export function faultsOf(sent: readonly Sent[]): string[] {
  return sent.flatMap((each) => {
    const { task, status, text, retryAfter, sentAt, endedAt } = each;
    const ms = endedAt - sentAt;
    const what = `A ${task.item.kind}`;
    if (status === 0) return `${what} got no response (${text}).`;
    if (!isSuccess(each) && !isRefused(each)) return `${what} was answered ${status}: ${text}`;
    if (isRefused(each) && !(Number(retryAfter) > 0)) return `${what} was answered 503 without Retry-After: ${text}`;
    if (ms > longestResponseMs) return `${what} was answered ${status} after ${ms.toFixed(0)} ms.`;
    return [];
  });
}

/** Whether the status is 2xx. */
export function isSuccess({ status }: Sent): boolean {
  return status >= 200 && status < 300;
}

function isRefused({ status }: Sent): boolean {
  return status === 503;
}

function longestGapOf(sent: readonly Sent[], killedAt: number): number {
  const times = sent
    .filter(isSuccess)
    .toSorted(byEnd)
    .map(({ endedAt }) => endedAt);
  const gaps = times.map((time, place) => (time > killedAt ? time - (times[place - 1] ?? time) : 0));
  return Math.max(0, ...gaps);
}

function latencyOf(sent: readonly Sent[]): Latency {
  const times = sent.filter(isSuccess).map(({ sentAt, endedAt }) => endedAt - sentAt);
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}

function byEnd(a: Sent, b: Sent): number {
  return a.endedAt - b.endedAt;
}
