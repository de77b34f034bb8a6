import type { Middleware } from "./context.ts";
import { HttpError, pathNotFound } from "./http-error.ts";
import { basePath } from "./response.ts";

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
  /** The clauses that the contract refers to, as YAML. */
  readonly clausesYaml: string;
  readonly readiness: () => Promise<Readiness>;
  /** Prometheus text, and its content type. */
  readonly metrics: () => Promise<{ type: string; text: string }>;
}

/** Paths that are asked every few seconds by probes and scrapers. */
const probes = new Set(["/healthz", "/readyz", "/metrics"]);

export function isProbe(path: string): boolean {
  return probes.has(path);
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Answers /healthz, /readyz, /openapi.json, /clauses.yaml and /metrics, and lets pass what is below the base path. */
export function systemEndpoints({ contractJson, clausesYaml, readiness, metrics }: SystemEndpoints): Middleware {
  const json = (status: number, body: unknown) => ({ status, type: "application/json", text: JSON.stringify(body) });
  const pages: Record<string, () => Promise<Page>> = {
    "/healthz": async () => json(200, { status: "ok" }),
    "/readyz": async () => {
      const { ready, reads, writes } = await readiness();
      return json(ready ? 200 : 503, { status: ready ? "ready" : "not ready", reads, writes });
    },
    "/openapi.json": async () => ({ status: 200, type: "application/json", text: contractJson }),
    "/clauses.yaml": async () => ({ status: 200, type: "application/yaml; charset=utf-8", text: clausesYaml }),
    "/metrics": async () => ({ status: 200, ...(await metrics()) }),
  };
  return async (ctx, next) => {
    const { path, method } = ctx;
    if (path.startsWith(`${basePath}/`) || path === basePath) return void (await next());
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page) throw pathNotFound();
    if (method !== "GET" && method !== "HEAD") {
      throw new HttpError("MethodNotAllowed", `This path does not take ${method}. Use GET.`, {
        headers: { Allow: "HEAD, GET" },
      });
    }
    const { status, type, text } = await page();
    ctx.status = status;
    ctx.set("Content-Type", type);
    ctx.body = text;
  };
}
