import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { clausesUrl } from "@project-feedback/spec";
import type Koa from "koa";
import { ObjectId } from "mongodb";
import type { Registry } from "prom-client";
import { OidcClient } from "./account/oidc-client.ts";
import type { Window } from "./account/operation.ts";
import { type AccountParts, createAccountExecute } from "./account-request.ts";
import { Allowances } from "./allowances/allowances.ts";
import { createApp, type Parts } from "./app.ts";
import { cached } from "./cached.ts";
import { type Config, defaultLimits } from "./config.ts";
import { loadAccountContract, loadContract } from "./contract/contract.ts";
import type { Account } from "./domain/account.ts";
import type { NewId } from "./domain/feedback.ts";
import { createExecute } from "./execute.ts";
import { ByteBudget } from "./http/byte-budget.ts";
import { Connections } from "./http/connections.ts";
import type { Log } from "./http/context.ts";
import { createRefuseMalformed, type RefuseMalformed } from "./http/malformed-request.ts";
import { createSendPage } from "./http/pages.ts";
import { addressHeaders, type RateLimits } from "./http/rate-limit.ts";
import { accountBasePath } from "./http/response.ts";
import { createMetrics } from "./metrics.ts";
import { operations } from "./operations/index.ts";
import type { Dependencies, Operations } from "./operations/operation.ts";
import { openPages } from "./pages.ts";
import { createAccountStore } from "./store/account-store.ts";
import { AllowanceRepository } from "./store/allowance-repository.ts";
import { checkAvailability } from "./store/availability.ts";
import type { Database } from "./store/database.ts";
import { DeletionSweeper } from "./store/deletion-sweeper.ts";
import { KeyCache } from "./store/key-cache.ts";
import { isOutage } from "./store/outage.ts";
import { Store } from "./store/store.ts";
import { UsageCounter } from "./store/usage-counter.ts";
import { ViewCounter } from "./store/view-counter.ts";

const hourMs = 3_600_000;
const flushViewsEveryMs = 500;
const flushKeyUsesEveryMs = 5_000;
const flushUsageEveryMs = 10_000;
const refreshKeysEveryMs = 2_000;
const sweepEveryMs = 1_000;
const availabilityTimeoutMs = 1_000;
/** Probes and scrapers, however many, cost one query and one rendering a second. */
const probeTtlMs = 1_000;
/** Requests an hour of an account to its own interface: pages that are open all day use a tenth of it. */
const signedInAllowance = 5_000;

/** The server of one process, without its socket. */
export interface Service {
  readonly app: Koa;
  readonly connections: Connections;
  readonly refuseMalformed: RefuseMalformed;
  /** The Prometheus metrics of this process. */
  readonly registry: Registry;
  /** From now on /readyz answers 503, and every response closes its connection. */
  drain(): void;
  /**
   * Writes what is pending: views, uses of keys, usage, and the unspent part of allowances.
   * @throws the database's error
   */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Pick<Config, "allowances" | "addressAllowance" | "trustedProxies"> &
    Partial<
      Pick<
        Config,
        "corsOrigins" | "maxConnections" | "maxBodyBytes" | "publicUrl" | "console" | "signInAllowance" | "oidc"
      >
    >;
  readonly database: Database;
  readonly log: Log;
  /** Records a span for each request. */
  readonly traceRequests?: Parts["traceRequests"];
  /** Prometheus text of all workers; by default that of this process. */
  readonly metricsText?: () => Promise<string>;
  /** Length of an allowance's window, in milliseconds; by default an hour. Tests set it. */
  readonly windowMs?: number;
  readonly now?: () => Date;
  /** Replaces the operations, for servers that break the contract on purpose. */
  readonly operations?: Operations;
  /** Changes parts before the app is made of them. */
  readonly adapt?: (parts: Parts) => Parts;
}

export const newId: NewId = (prefix) => `${prefix}_${new ObjectId().toHexString()}`;

/** Creates the server on a database that has its indexes. */
export function createService(options: ServiceOptions): Service {
  const { config, database, log } = options;
  const store = new Store(database);
  const accountStore = createAccountStore(database);
  const keyCache = new KeyCache(accountStore.keys);
  const views = new ViewCounter(database);
  const sweeper = new DeletionSweeper(database);
  const connections = new Connections(config.maxConnections ?? defaultLimits.maxConnections);
  const availability = cached(probeTtlMs, () => checkAvailability(database, availabilityTimeoutMs));
  const metrics = createMetrics({ availability, pool: database.pool, connections });
  const contract = loadContract({ publicUrl: config.publicUrl });
  const accountContract = loadAccountContract({ publicUrl: config.publicUrl, basePath: accountBasePath });
  const onError = (error: unknown) => log.warn({ err: error }, "a background write failed; it is tried again");
  const window = options.windowMs ?? hourMs;
  const holder = randomUUID();
  const usage = new UsageCounter(database, holder);
  const windows = new AllowanceRepository(database, holder, window);
  const allowances = new Allowances(windows, { windowMs: window, onError });
  const dependencies: Dependencies = {
    now: options.now ?? (() => new Date()),
    newId,
    countView: (projectId) => views.count(projectId),
  };
  const rateLimits: RateLimits = {
    spend: (subject, limit) => allowances.spend(subject, limit),
    peek: (subject, limit) => allowances.peek(subject, limit),
    limitOf: ({ plan }) => config.allowances[plan],
    addressLimit: config.addressAllowance,
  };
  const windowOf = async ({ id, plan }: Account): Promise<Window> => {
    const limit = config.allowances[plan];
    // Where this process holds a part of the allowance, it knows more than the database.
    const known = allowances.known(id, limit);
    if (known) return { limit, remaining: known.remaining, resetsAt: new Date(known.reset * 1_000) };
    const open = await windows.find(id);
    return { limit, remaining: Math.max(0, limit - (open?.granted ?? 0)), resetsAt: open?.endsAt ?? null };
  };
  const account: AccountParts = {
    contract: accountContract,
    publicUrl: config.publicUrl,
    limits: {
      spend: (subject, limit) => allowances.spend(`account ${subject}`, limit),
      peek: (subject, limit) => allowances.peek(`account ${subject}`, limit),
      accountLimit: signedInAllowance,
      addressLimit: config.addressAllowance,
      signInLimit: config.signInAllowance ?? defaultLimits.signInAllowance,
    },
    findSession: (secret, client) => accountStore.sessions.use(secret, client, dependencies.now()),
    execute: createAccountExecute(accountStore, {
      now: dependencies.now,
      newId,
      windowOf,
      oidc: config.oidc && new OidcClient(config.oidc),
    }),
  };
  let draining = false;
  const parts: Parts = {
    contract,
    log,
    observe: metrics.observe,
    countUsage: (accountId, status) => usage.count(accountId, status),
    isOutage,
    findPrincipal: (key, address) => keyCache.find(key, address),
    rateLimits,
    execute: createExecute(store, options.operations ?? operations, dependencies),
    systemEndpoints: {
      contractJson: contract.json,
      accountContractJson: accountContract.json,
      clausesYaml: readFileSync(clausesUrl, "utf8"),
      readiness: async () => {
        const { reads, writes } = await availability();
        return { ready: reads && !draining, reads, writes };
      },
      metrics: cached(probeTtlMs, async () => ({
        type: metrics.registry.contentType,
        text: await (options.metricsText?.() ?? metrics.registry.metrics()),
      })),
      sendPage: createSendPage(config.console ? openPages() : undefined),
    },
    account,
    connections,
    traceRequests: options.traceRequests,
    bodyBudget: new ByteBudget(config.maxBodyBytes ?? defaultLimits.maxBodyBytes),
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins ?? [],
  };
  const every = (milliseconds: number, work: () => Promise<void>) =>
    setInterval(() => void work().catch(onError), milliseconds).unref();
  const timers = [
    every(flushViewsEveryMs, () => views.flush()),
    every(flushKeyUsesEveryMs, () => keyCache.flush()),
    every(flushUsageEveryMs, () => usage.flush()),
    every(refreshKeysEveryMs, () => keyCache.refresh()),
    every(sweepEveryMs, () => sweeper.sweep()),
  ];
  return {
    app: createApp(options.adapt?.(parts) ?? parts),
    connections,
    refuseMalformed: createRefuseMalformed({
      log,
      observe: metrics.observe,
      rateLimitHeaders: (address) => addressHeaders(address, rateLimits),
    }),
    registry: metrics.registry,
    drain() {
      draining = true;
      connections.drain();
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([views.flush(), keyCache.flush(), usage.flush(), allowances.close(), sweeper.close()]);
    },
  };
}
