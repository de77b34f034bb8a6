import Koa from "koa";
import { type AccountParts, createAccountHandler } from "./account-request.ts";
import type { Contract } from "./contract/contract.ts";
import type { Execute } from "./execute.ts";
import { authenticate, type FindPrincipal } from "./http/authenticate.ts";
import type { ByteBudget } from "./http/byte-budget.ts";
import { compress } from "./http/compress.ts";
import { closeConnections, limitConnections } from "./http/connection-limit.ts";
import type { Connections } from "./http/connections.ts";
import type { Context, Log, Middleware } from "./http/context.ts";
import { type CorsOrigins, cors } from "./http/cors.ts";
import { errorHandler } from "./http/error-handler.ts";
import { type RateLimits, rateLimit, rateLimitHeaders } from "./http/rate-limit.ts";
import { readBody } from "./http/read-body.ts";
import { requestId } from "./http/request-id.ts";
import { type CountUsage, type Observe, requestLogger } from "./http/request-logger.ts";
import { accountBasePath, basePath, isBelow, respond } from "./http/response.ts";
import { createRouter } from "./http/router.ts";
import { setSecureHeaders } from "./http/secure-headers.ts";
import { type SystemEndpoints, systemEndpoints } from "./http/system-endpoints.ts";
import { validate } from "./http/validate.ts";

/** The parts of the app. Tests may replace each of them. */
export interface Parts {
  readonly contract: Contract;
  readonly log: Log;
  readonly observe: Observe;
  readonly countUsage: CountUsage;
  readonly isOutage: (error: unknown) => boolean;
  readonly findPrincipal: FindPrincipal;
  readonly rateLimits: RateLimits;
  readonly execute: Execute;
  readonly systemEndpoints: SystemEndpoints;
  /** The account's own interface (C-ACC-1). */
  readonly account: AccountParts;
  readonly connections: Connections;
  /** Records a span for each request; undefined without tracing. */
  readonly traceRequests?: Middleware | undefined;
  /** Bytes of request bodies that are held at once. */
  readonly bodyBudget: ByteBudget;
  /** Number of proxies in front whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number;
  /** Origins whose pages may call the service (C-CORS-1). */
  readonly corsOrigins: CorsOrigins;
}

/** Every stage of a request, in order (C-ERR-3). */
export function createApp(parts: Parts): Koa {
  const { contract, rateLimits } = parts;
  const findRoute = createRouter({ operations: contract.operations.values(), basePath, documentPath: "/openapi.json" });
  const handleAccountRequest = createAccountHandler(parts.account, parts.bodyBudget);

  const handleRequest = async (ctx: Context): Promise<void> => {
    const { state } = ctx;
    if (isBelow(accountBasePath, ctx.path)) return handleAccountRequest(ctx);
    const principal = await authenticate(ctx.headers.authorization, ctx.ip, parts.findPrincipal, state.deadline);
    if (principal) state.principal = principal;
    const counted = await rateLimit(ctx, principal, rateLimits); // 401, 429
    const { operation, path } = findRoute(ctx.method, ctx.path); // 404, 405
    state.operation = operation;
    if (operation.deprecation) ctx.set(operation.deprecation);
    const sent = await readBody(ctx, operation, parts.bodyBudget); // 413, 415, 400, 503
    const input = validate(operation, ctx.querystring, ctx.headers, sent); // 400
    respond(
      ctx,
      await parts.execute(operation, { ...counted, path, isHead: ctx.method === "HEAD", ...input }, state.deadline),
    ); // 404, 403, 412, 409, 422, 400
  };

  const limitsOf = (path: string) => (isBelow(accountBasePath, path) ? parts.account.limits : rateLimits);

  const middleware: readonly Middleware[] = [
    compress, // gzip and br, of whatever is returned below
    requestId, // X-Request-Id, and the deadline
    ...(parts.traceRequests ? [parts.traceRequests] : []), // traceresponse, and a span
    setSecureHeaders, // nosniff, no-store, HSTS
    closeConnections(parts.connections), // Connection: close, while the server drains
    requestLogger(parts.log, parts.observe, parts.countUsage), // one line for each request
    cors(parts.corsOrigins), // headers for pages of other origins; preflights end here
    errorHandler(parts.isOutage), // turns every error below into a response
    systemEndpoints(parts.systemEndpoints), // all paths outside the two interfaces end here, the pages too
    rateLimitHeaders(limitsOf), // the headers of errors before an allowance is spent
    limitConnections(parts.connections), // 503
    handleRequest,
  ];
  const app = new Koa({ proxy: parts.trustedProxies > 0, maxIpsCount: parts.trustedProxies });
  for (const each of middleware) app.use(each as Koa.Middleware);
  // Koa says here that a response could not be sent, as when its client has gone; else it would print the stack.
  app.on("error", (err) => parts.log.warn({ err }, "a response could not be sent"));
  return app;
}
