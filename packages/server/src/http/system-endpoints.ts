import type { Middleware } from "./context.ts";
import { methodNotAllowed, pathNotFound } from "./http-error.ts";
import type { SendPage } from "./pages.ts";
import { accountBasePath, basePath, isBelow } from "./response.ts";

/** What /readyz tells. */
export interface Readiness {
  /** Whether requests should be sent here: false while stopping, and while the database cannot be read. */
  readonly ready: boolean;
  /** Whether the database can be read, and written: during an election it can be read only. */
  readonly reads: boolean;
  readonly writes: boolean;
}

/** What an operator asks of a server, outside the versioned interface and without a key. */
export interface SystemEndpoints {
  /** The contract, as JSON. */
  readonly contractJson: string;
  /** The contract of the account's own interface, as JSON. */
  readonly accountContractJson: string;
  /** The clauses that the contract refers to, as YAML. */
  readonly clausesYaml: string;
  readonly readiness: () => Promise<Readiness>;
  /** Prometheus text, and its content type. */
  readonly metrics: () => Promise<{ type: string; text: string }>;
  /** Sends what people see in a browser. */
  readonly sendPage: SendPage;
}

/** Paths that are asked every few seconds by probes and scrapers. */
const probes = new Set(["/healthz", "/readyz", "/metrics"]);

export function isProbe(path: string): boolean {
  return probes.has(path);
}

interface Endpoint {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/**
 * Answers /healthz, /readyz, /metrics, the contracts and the pages, and lets pass what is below the base paths of the
 * interfaces.
 */
export function systemEndpoints(options: SystemEndpoints): Middleware {
  const { contractJson, accountContractJson, clausesYaml, readiness, metrics, sendPage } = options;
  const json = (status: number, body: unknown) => ({ status, type: "application/json", text: JSON.stringify(body) });
  const endpoints: Record<string, () => Promise<Endpoint>> = {
    "/healthz": async () => json(200, { status: "ok" }),
    "/readyz": async () => {
      const { ready, reads, writes } = await readiness();
      return json(ready ? 200 : 503, { status: ready ? "ready" : "not ready", reads, writes });
    },
    "/openapi.json": async () => ({ status: 200, type: "application/json", text: contractJson }),
    "/account/openapi.json": async () => ({ status: 200, type: "application/json", text: accountContractJson }),
    "/clauses.yaml": async () => ({ status: 200, type: "application/yaml; charset=utf-8", text: clausesYaml }),
    "/metrics": async () => ({ status: 200, ...(await metrics()) }),
  };
  return async (ctx, next) => {
    const { path, method } = ctx;
    if (isBelow(basePath, path) || isBelow(accountBasePath, path)) return void (await next());
    const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
    if (!endpoint) {
      if (await sendPage(ctx)) return;
      throw pathNotFound("/openapi.json");
    }
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(method);
    const { status, type, text } = await endpoint();
    ctx.status = status;
    ctx.set("Content-Type", type);
    ctx.body = text;
  };
}
