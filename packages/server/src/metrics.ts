import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import manifest from "../package.json" with { type: "json" };
import type { Connections } from "./http/connections.ts";
import type { Observe } from "./http/request-logger.ts";
import type { Availability } from "./store/availability.ts";
import type { PoolStatistics } from "./store/pool-statistics.ts";

/** What Prometheus reads of one process. */
export interface Metrics {
  readonly registry: Registry;
  readonly observe: Observe;
}

/** Where metrics that are read only when they are asked for come from. */
export interface MetricSources {
  readonly availability: () => Promise<Availability>;
  readonly pool: PoolStatistics;
  readonly connections: Connections;
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  addProcessMetrics(registry);
  addConnectionMetrics(registry, sources.connections);
  addDatabaseMetrics(registry, sources);
  createWorkerRestarts(registry);
  return { registry, observe: createObserve(registry) };
}

/** Counts workers that ended by themselves and were replaced; the primary process counts them. */
export function createWorkerRestarts(registry: Registry): Counter {
  return new Counter({
    name: "project_feedback_worker_restarts_total",
    help: "Workers that ended by themselves and were replaced.",
    registers: [registry],
  });
}

function createObserve(registry: Registry): Observe {
  const registers = [registry];
  const requests = new Counter({
    name: "project_feedback_requests_total",
    help: "Requests answered, by operation and status.",
    labelNames: ["operation", "status"] as const,
    registers,
  });
  const seconds = new Histogram({
    name: "project_feedback_request_seconds",
    help: "Time to answer a request, in seconds, by operation.",
    labelNames: ["operation"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const rateLimited = new Counter({
    name: "project_feedback_rate_limited_total",
    help: "Requests refused with 429, past the allowance of an account or an address.",
    registers,
  });
  return (operation, status, elapsed) => {
    requests.inc({ operation, status: String(status) });
    seconds.observe({ operation }, elapsed);
    if (status === 429) rateLimited.inc();
  };
}

function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  // Gauges that are named like counters, which promtool refuses; the gauges without _total say the same by type.
  for (const name of ["handles", "requests", "resources"]) {
    registry.removeSingleMetric(`nodejs_active_${name}_total`);
  }
  new Gauge({
    name: "project_feedback_build_info",
    help: "Always 1; the labels name the version of the server and of Node.",
    labelNames: ["version", "node"] as const,
    registers: [registry],
    aggregator: "first",
  }).set({ version: manifest.version, node: process.versions.node }, 1);
}

function addConnectionMetrics(registry: Registry, connections: Connections): void {
  addGauge(registry, "requests_in_flight", "Requests that are being answered.", () => connections.requests);
  addGauge(registry, "connections", "Open connections of clients.", () => connections.open);
}

function addDatabaseMetrics(registry: Registry, { availability, pool }: MetricSources): void {
  new Gauge({
    name: "project_feedback_database_up",
    help: "1 when the database can be read or written, else 0, by access.",
    labelNames: ["access"] as const,
    registers: [registry],
    aggregator: "min",
    async collect() {
      const { reads, writes } = await availability();
      this.set({ access: "reads" }, Number(reads));
      this.set({ access: "writes" }, Number(writes));
    },
  });
  addGauge(registry, "database_pool_connections", "Open connections to the database.", () => pool.open);
  addGauge(registry, "database_pool_connections_in_use", "Connections on which a command runs.", () => pool.inUse);
  addGauge(registry, "database_pool_waiting", "Commands that wait for a connection.", () => pool.waiting);
  addCounter(registry, "database_pool_waits_total", "Waits for a connection that have ended.", () => pool.waits);
  addCounter(
    registry,
    "database_pool_wait_seconds_total",
    "Time that commands have waited for a connection, in seconds.",
    () => pool.waitMs / 1_000,
  );
  addCounter(
    registry,
    "database_pool_wait_failures_total",
    "Waits that ended without a connection.",
    () => pool.failures,
  );
}

function addGauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name: `project_feedback_${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}

function addCounter(registry: Registry, name: string, help: string, value: () => number): void {
  new Counter({
    name: `project_feedback_${name}`,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(value());
    },
  });
}
