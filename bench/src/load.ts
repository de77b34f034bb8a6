// Requests as fast as they are answered, and the processor time they take.

import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { cpuMicroseconds } from "./processes.ts";
import type { Request } from "./requests.ts";
import type { Figures } from "./results.ts";
import { BenchError } from "./run-program.ts";

/** With more responses other than 2xx, the work was not done, and there are no figures. */
const mostFailures = 0.01;
/** A bench that dies leaves no load behind for longer than this. */
const graceSeconds = 60;

export interface Load {
  /** For messages. */
  readonly name: string;
  readonly origins: readonly string[];
  /** Requests of each connection, repeated from the first after the last. */
  readonly requests: readonly (readonly Request[])[];
  /** Seconds that are not counted, then seconds that are. */
  readonly warmSeconds: number;
  readonly seconds: number;
  /** Process ids. */
  readonly server: readonly number[];
  readonly mongod: readonly number[];
}

/** Puts a load on a server. @throws BenchError where more than 1 % of the responses are other than 2xx */
export async function measure(load: Load): Promise<Figures> {
  const latencies: number[] = [];
  const failed = new Map<number | string, number>();
  let counting = false;
  const onFailure = (reason: number | string) => failed.set(reason, (failed.get(reason) ?? 0) + 1);
  const onResponse = (status: number, milliseconds: number) => {
    if (status >= 300) onFailure(status);
    else if (counting) latencies.push(milliseconds);
  };
  const cpu = () => ({ server: cpuMicroseconds(load.server), mongod: cpuMicroseconds(load.mongod) });

  const runs = load.origins.map((url, instance) => run(load, url, instance, onResponse, onFailure));
  await sleep(load.warmSeconds * 1_000);
  const [began, before] = [performance.now(), cpu()];
  counting = true;
  await sleep(load.seconds * 1_000);
  counting = false;
  const [elapsed, after] = [(performance.now() - began) / 1_000, cpu()];
  for (const { instance } of runs) instance.stop();
  await Promise.all(runs.map(({ done }) => done));

  const failures = [...failed.values()].reduce((sum, count) => sum + count, 0) / (latencies.length + 1);
  if (failures > mostFailures) {
    const counts = [...failed].map(([reason, count]) => `${reason} × ${count}`).join(", ");
    throw new BenchError(
      `Too many requests failed in ${load.name}: ${counts}. See the server's log in bench/.data/logs.`,
    );
  }
  if (latencies.length === 0)
    throw new BenchError(`${load.name} answered nothing in ${load.seconds} s. Give it more --seconds.`);
  latencies.sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
  return {
    rate: latencies.length / elapsed,
    serverCpu: (after.server - before.server) / latencies.length,
    mongodCpu: (after.mongod - before.mongod) / latencies.length,
    p50: at(0.5),
    p99: at(0.99),
    failures,
  };
}

/** Starts autocannon on one of the origins, with that origin's part of the connections. */
function run(
  { origins, requests, warmSeconds, seconds }: Load,
  url: string,
  which: number,
  onResponse: (status: number, milliseconds: number) => void,
  onFailure: (reason: string) => void,
) {
  const own = requests.filter((_, connection) => connection % origins.length === which);
  let connection = 0;
  const setupClient = (client: autocannon.Client) =>
    client.setRequests([...(own[connection++ % own.length] ?? [])] as autocannon.Request[]);
  const duration = warmSeconds + seconds + graceSeconds;
  const options = { url, connections: own.length, duration, sampleInt: 50, setupClient };
  const { promise: done, resolve } = Promise.withResolvers<unknown>();
  const instance = autocannon(options as autocannon.Options, resolve);
  instance.on("response", (_client, status, _bytes, milliseconds) => onResponse(status, milliseconds));
  instance.on("reqError", (error: Error) => onFailure(error.message));
  return { instance, done };
}
