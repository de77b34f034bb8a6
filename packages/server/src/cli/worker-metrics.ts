import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry, type Registry } from "prom-client";

/** A worker that has not told its metrics after this many milliseconds is left out: it starts, stops or hangs. */
const patienceMs = 1_000;

/**
 * What workers and the primary process say to each other, each question with a number of its own. prom-client has a
 * protocol too, but in that a worker that is still starting keeps all from being answered.
 */
interface MetricsMessage {
  /** A worker asks for the metrics of all, and is given them. */
  readonly gather?: number;
  readonly gathered?: { readonly question: number; readonly text: string };
  /** The primary process asks a worker for its own, and is given them. */
  readonly tell?: number;
  readonly told?: { readonly question: number; readonly metrics: object };
}

let questions = 0;

/** In the primary process: answers a worker that asks for the metrics of all. */
export function serveMetricsTo(worker: Worker): void {
  worker.on("message", async ({ gather: question }: MetricsMessage) => {
    if (question === undefined) return;
    const workers = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected());
    const answers = await Promise.all(workers.map((each) => metricsOf(each as Worker)));
    const found = answers.filter((metrics) => metrics !== undefined);
    const text = await AggregatorRegistry.aggregate(found).metrics();
    say(worker, { gathered: { question, text } });
  });
}

function metricsOf(worker: Worker): Promise<object[] | undefined> {
  questions += 1;
  const question = questions;
  return new Promise((resolve) => {
    const end = (metrics?: object) => {
      clearTimeout(late);
      worker.off("message", receive);
      resolve(metrics as object[] | undefined);
    };
    const receive = ({ told }: MetricsMessage) => {
      if (told?.question === question) end(told.metrics);
    };
    const late = setTimeout(end, patienceMs);
    worker.on("message", receive);
    say(worker, { tell: question });
  });
}

/** What cannot be said any more, to a worker that has just died, needs no answer. */
function say(worker: Worker, message: MetricsMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

/** In a worker: tells the primary process its own metrics when asked. */
export function tellMetrics(registry: Registry): void {
  process.on("message", async ({ tell: question }: MetricsMessage) => {
    if (question === undefined) return;
    process.send?.({ told: { question, metrics: await registry.getMetricsAsJSON() } } satisfies MetricsMessage);
  });
}

/** In a worker: the metrics of all workers, as Prometheus text. */
export function clusterMetrics(): Promise<string> {
  questions += 1;
  const question = questions;
  return new Promise((resolve) => {
    const receive = ({ gathered }: MetricsMessage) => {
      if (gathered?.question !== question) return;
      process.off("message", receive);
      resolve(gathered.text);
    };
    process.on("message", receive);
    process.send?.({ gather: question } satisfies MetricsMessage);
  });
}
