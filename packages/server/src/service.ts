import { randomUUID } from "node:crypto";
import type Koa from "koa";
import { ObjectId } from "mongodb";
import type { Registry } from "prom-client";
import { basePath, createApp, type Parts } from "./app.ts";
import type { Config } from "./config.ts";
import { loadContract } from "./contract.ts";
import { Allowances } from "./domain/allowance.ts";
import type { NewId } from "./domain/feedback.ts";
import { createMetrics } from "./metrics.ts";
import { operations } from "./operations/index.ts";
import type { Operations, Surroundings } from "./operations/operation.ts";
import type { Log } from "./pipeline/exchange.ts";
import { runOn } from "./run.ts";
import { AllowanceRecords } from "./store/allowance-records.ts";
import type { Database } from "./store/database.ts";
import { isOutage } from "./store/outage.ts";
import { Principals } from "./store/principals.ts";
import { Store } from "./store/store.ts";
import { Views } from "./store/views.ts";

const windowMs = 3_600_000;
const viewsEveryMs = 500;
const usesEveryMs = 5_000;
const keysEveryMs = 2_000;
const readyPatienceMs = 1_000;

/** One process's server, all but its socket. */
export interface Service {
  readonly app: Koa;
  /** What Prometheus reads of this process. */
  readonly registry: Registry;
  /** Says from now on that it is not ready. */
  drain(): void;
  /** Writes what is still to be written: views, uses of keys, what is held of allowances. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Pick<Config, "allowances" | "addressAllowance" | "trustedProxies">;
  readonly database: Database;
  readonly log: Log;
  /** Prometheus text of all workers; of this process alone where it is left out. */
  readonly metricsText?: () => Promise<string>;
  /** Length of an allowance's window, in milliseconds; an hour, but for tests. */
  readonly windowMs?: number;
  readonly now?: () => Date;
  /** Other operations than ours, for servers that are to be wrong. */
  readonly operations?: Operations;
  /** Changes to the parts before they are put together. */
  readonly adapt?: (parts: Parts) => Parts;
}

export const newId: NewId = (prefix) => `${prefix}_${new ObjectId().toHexString()}`;

/** Puts the server together on a database whose indexes are made. */
export function createService(options: ServiceOptions): Service {
  const { config, database, log } = options;
  const store = new Store(database);
  const principals = new Principals(store.accounts);
  const views = new Views(database);
  const metrics = createMetrics();
  const contract = loadContract();
  const onError = (error: unknown) => log.warn({ err: error }, "could not write what can wait; trying again");
  const window = options.windowMs ?? windowMs;
  const holder = randomUUID();
  const allowances = new Allowances(new AllowanceRecords(database, holder, window), { windowMs: window, onError });
  const surroundings: Surroundings = {
    now: options.now ?? (() => new Date()),
    newId,
    countView: (projectId) => views.count(projectId),
  };
  let draining = false;
  const parts: Parts = {
    contract,
    log,
    observe: metrics.observe,
    isOutage,
    principalOf: (key) => principals.of(key),
    limits: {
      spend: (subject, limit) => allowances.spend(subject, limit),
      peek: (subject, limit) => allowances.peek(subject, limit),
      limitOf: ({ plan }) => config.allowances[plan],
      addressLimit: config.addressAllowance,
    },
    run: runOn(store, options.operations ?? operations, surroundings),
    operators: {
      basePath,
      contractJson: contract.json,
      ready: async () => !draining && (await store.answers(readyPatienceMs)),
      metrics: async () => ({
        type: metrics.registry.contentType,
        text: await (options.metricsText?.() ?? metrics.registry.metrics()),
      }),
    },
    trustedProxies: config.trustedProxies,
  };
  const every = (milliseconds: number, work: () => Promise<void>) =>
    setInterval(() => void work().catch(onError), milliseconds).unref();
  const timers = [
    every(viewsEveryMs, () => views.flush()),
    every(usesEveryMs, () => principals.flush()),
    every(keysEveryMs, () => principals.refresh()),
  ];
  return {
    app: createApp(options.adapt?.(parts) ?? parts),
    registry: metrics.registry,
    drain() {
      draining = true;
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([views.flush(), principals.flush(), allowances.close()]);
    },
  };
}
