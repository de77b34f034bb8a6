import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Observe } from "./http/request-logger.ts";

/** What Prometheus reads of one process. */
export interface Metrics {
  readonly registry: Registry;
  readonly observe: Observe;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ["operation", "status"] as const;
  const requests = new Counter({
    name: "project_feedback_requests_total",
    help: "Requests answered, by operation and status.",
    labelNames,
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "project_feedback_request_seconds",
    help: "Time to answer a request, in seconds, by operation.",
    labelNames: ["operation"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    registry,
    observe(operation, status, elapsed) {
      requests.inc({ operation, status: String(status) });
      seconds.observe({ operation }, elapsed);
    },
  };
}
