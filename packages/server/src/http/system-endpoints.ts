import type { Middleware } from "./context.ts";
import { HttpError, pathNotFound } from "./http-error.ts";
import { basePath } from "./response.ts";

/** What an operator asks of a server, outside the versioned interface and without a key. */
export interface SystemEndpoints {
  /** The contract, as JSON. */
  readonly contractJson: string;
  /** Whether requests should be sent here: false while stopping, and while the database is away. */
  readonly ready: () => Promise<boolean>;
  /** Prometheus text, and its content type. */
  readonly metrics: () => Promise<{ type: string; text: string }>;
}

/** Answers /healthz, /readyz, /openapi.json and /metrics, and lets pass what is below the base path. */
export function systemEndpoints({ contractJson, ready, metrics }: SystemEndpoints): Middleware {
  const json = (body: unknown) => ({ status: 200, type: "application/json", text: JSON.stringify(body) });
  const pages: Record<string, () => Promise<{ status: number; type: string; text: string }>> = {
    "/healthz": async () => json({ status: "ok" }),
    "/readyz": async () =>
      (await ready()) ? json({ status: "ready" }) : { ...json({ status: "not ready" }), status: 503 },
    "/openapi.json": async () => ({ status: 200, type: "application/json", text: contractJson }),
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
    ctx.set("Cache-Control", "no-store");
    ctx.body = text;
  };
}
