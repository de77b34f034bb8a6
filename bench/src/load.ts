// Requests as fast as they are answered, and what that took of whom.

import autocannon from "autocannon";
import type { Request } from "./ask.ts";
import { cpuMicroseconds } from "./processes.ts";
import { BenchError } from "./run-program.ts";

/** What one measurement saw. */
export interface Figures {
  /** Requests answered a second. */
  readonly rate: number;
  /** Microseconds of processor, user and system, a request. */
  readonly serverCpu: number;
  readonly mongodCpu: number;
  /** Milliseconds from request to answer. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were no success, as a part of all; with more than a hundredth there are no figures. */
  readonly failures: number;
}

const mostFailures = 0.01;

export interface Load {
  /** For messages. */
  readonly name: string;
  readonly origins: readonly string[];
  /** Requests of each connection, over and over. */
  readonly requests: readonly (readonly Request[])[];
  /** Seconds that are not counted, then seconds that are. */
  readonly warmSeconds: number;
  readonly seconds: number;
  readonly server: readonly number[];
  readonly mongod: readonly number[];
  /** Told of every answer. */
  readonly onAnswer?: (status: number, milliseconds: number) => void;
}

/** Puts a load on a server. @throws Error where many answers are no success, for then the work was not done */
export async function measure(load: Load): Promise<Figures> {
  const latencies: number[] = [];
  const refused = new Map<number | string, number>();
  let counting = false;
  const runs = load.origins.map((url, which) => run(load, url, which, answered, failed));
  await wait(load.warmSeconds);
  const began = performance.now();
  const before = [cpuMicroseconds(load.server), cpuMicroseconds(load.mongod)] as const;
  counting = true;
  await wait(load.seconds);
  counting = false;
  const elapsed = (performance.now() - began) / 1_000;
  const after = [cpuMicroseconds(load.server), cpuMicroseconds(load.mongod)] as const;
  for (const { instance } of runs) instance.stop();
  await Promise.all(runs.map(({ done }) => done));
  const failures = [...refused.values()].reduce((sum, count) => sum + count, 0) / (latencies.length + 1);
  if (failures > mostFailures) {
    const told = [...refused].map(([status, count]) => `${status} × ${count}`).join(", ");
    throw new BenchError(
      `Too many answers were no success in ${load.name}: ${told}. See the server's log in bench/.data/logs.`,
    );
  }
  if (latencies.length === 0)
    throw new BenchError(`${load.name} gave no answer in ${load.seconds} s. Give it more --seconds.`);
  latencies.sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
  return {
    rate: latencies.length / elapsed,
    serverCpu: (after[0] - before[0]) / latencies.length,
    mongodCpu: (after[1] - before[1]) / latencies.length,
    p50: at(0.5),
    p99: at(0.99),
    failures,
  };

  function answered(status: number, milliseconds: number): void {
    load.onAnswer?.(status, milliseconds);
    if (status >= 300) refused.set(status, (refused.get(status) ?? 0) + 1);
    else if (counting) latencies.push(milliseconds);
  }

  function failed(error: Error): void {
    refused.set(error.message, (refused.get(error.message) ?? 0) + 1);
  }
}

function run(
  { origins, requests, warmSeconds, seconds }: Load,
  url: string,
  which: number,
  answered: (status: number, milliseconds: number) => void,
  failed: (error: Error) => void,
) {
  const own = requests.filter((_, connection) => connection % origins.length === which);
  let connection = 0;
  const setupClient = (client: autocannon.Client) =>
    client.setRequests([...(own[connection++ % own.length] ?? [])] as autocannon.Request[]);
  // It is stopped by hand; the time is there for a bench that dies.
  const options = { url, connections: own.length, duration: warmSeconds + seconds + 60, sampleInt: 50, setupClient };
  let end: (value?: unknown) => void = () => undefined;
  const done = new Promise((resolve) => (end = resolve));
  const instance = autocannon(options as autocannon.Options, end);
  instance.on("response", (_client, status, _bytes, milliseconds) => answered(status, milliseconds));
  instance.on("reqError", failed);
  return { instance, done };
}

function wait(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
