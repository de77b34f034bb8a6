import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry, type Registry } from "prom-client";

/** A worker that has not reported after this many milliseconds is left out: it is starting, stopping or hanging. */
const reportTimeoutMs = 1_000;

/**
 * Messages between workers and the primary process; a response has the number of its request. prom-client has such a
 * protocol too, but there one worker that is still starting delays the response to all.
 */
interface MetricsMessage {
  /** From a worker: asks for the metrics of all workers. */
  readonly clusterRequest?: number;
  readonly clusterResponse?: { readonly request: number; readonly text: string };
  /** From the primary process: asks a worker for its own metrics. */
  readonly workerRequest?: number;
  readonly workerResponse?: { readonly request: number; readonly metrics: object };
}

let requests = 0;

/** In the primary process: answers a worker that asks for the metrics of all workers, and of the primary itself. */
export function serveMetricsTo(worker: Worker, own: Registry): void {
  worker.on("message", async ({ clusterRequest: request }: MetricsMessage) => {
    if (request === undefined) return;
    const workers = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected());
    const answers = await Promise.all(workers.map((each) => metricsOf(each as Worker)));
    const found = answers.filter((metrics) => metrics !== undefined);
    found.push(await own.getMetricsAsJSON());
    const text = await AggregatorRegistry.aggregate(found).metrics();
    send(worker, { clusterResponse: { request, text } });
  });
}

function metricsOf(worker: Worker): Promise<object[] | undefined> {
  requests += 1;
  const request = requests;
  return new Promise((resolve) => {
    const end = (metrics?: object) => {
      clearTimeout(late);
      worker.off("message", receive);
      resolve(metrics as object[] | undefined);
    };
    const receive = ({ workerResponse }: MetricsMessage) => {
      if (workerResponse?.request === request) end(workerResponse.metrics);
    };
    const late = setTimeout(end, reportTimeoutMs);
    worker.on("message", receive);
    send(worker, { workerRequest: request });
  });
}

/** A message to a worker that has just died is dropped. */
function send(worker: Worker, message: MetricsMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

/** In a worker: sends its own metrics to the primary process on request. */
export function reportMetrics(registry: Registry): void {
  process.on("message", async ({ workerRequest: request }: MetricsMessage) => {
    if (request === undefined) return;
    process.send?.({
      workerResponse: { request, metrics: await registry.getMetricsAsJSON() },
    } satisfies MetricsMessage);
  });
}

/** In a worker: the metrics of all workers, as Prometheus text. */
export function clusterMetrics(): Promise<string> {
  requests += 1;
  const request = requests;
  return new Promise((resolve) => {
    const receive = ({ clusterResponse }: MetricsMessage) => {
      if (clusterResponse?.request !== request) return;
      process.off("message", receive);
      resolve(clusterResponse.text);
    };
    process.on("message", receive);
    process.send?.({ clusterRequest: request } satisfies MetricsMessage);
  });
}
