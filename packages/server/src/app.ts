import Koa from "koa";
import type { Contract } from "./contract.ts";
import type { Principal } from "./domain/account.ts";
import { authenticate } from "./pipeline/authenticate.ts";
import type { Log, Step } from "./pipeline/exchange.ts";
import { announceLimit, type Limits, limit } from "./pipeline/limit.ts";
import { match } from "./pipeline/match.ts";
import { type Operators, operators } from "./pipeline/operators.ts";
import { type Perform, perform } from "./pipeline/perform.ts";
import { readBody } from "./pipeline/read-body.ts";
import { type Observe, report } from "./pipeline/report.ts";
import { validate } from "./pipeline/validate.ts";

/** Every endpoint's path is appended to this (S-BASE-1). */
export const basePath = "/v1";

/** The parts that a request meets on its way; each can be another one in tests. */
export interface Parts {
  readonly contract: Contract;
  readonly log: Log;
  readonly observe: Observe;
  readonly isOutage: (error: unknown) => boolean;
  readonly principalOf: (key: string) => Promise<Principal | null>;
  readonly limits: Limits;
  readonly run: Perform;
  readonly operators: Operators;
  /** Proxies in front whose X-Forwarded-For is believed. */
  readonly trustedProxies: number;
}

/** The whole life of a request, in order (C-ERR-3). */
export function createApp(parts: Parts): Koa {
  const app = new Koa({ proxy: parts.trustedProxies > 0, maxIpsCount: parts.trustedProxies });
  const steps: readonly Step[] = [
    report(parts.log, parts.observe, parts.isOutage), // id, log line, errors as answers
    operators(parts.operators), // /healthz and its like end here; all else must begin with /v1 (404)
    announceLimit(parts.limits), // the three headers, on answers made before they are known for certain
    authenticate(parts.principalOf), // whose key it is
    limit(parts.limits), // 401, 429
    match(parts.contract.operations.values(), basePath, [
      readBody, // 404, 405 before it; 413, 415, 400
      validate, // 400
      perform(parts.run, basePath), // 404, 403, 409, or the answer
    ]),
  ];
  for (const step of steps) app.use(step as Koa.Middleware);
  return app;
}
