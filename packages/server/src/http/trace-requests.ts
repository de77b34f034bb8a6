import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import type { Middleware } from "./context.ts";
import { accountBasePath, basePath, isBelow } from "./response.ts";

/**
 * Records a span for each request, below the caller's own if there is a `traceparent` (W3C Trace Context). The response
 * names it in `traceresponse`. A span has operation and status, never a key, a query or a body.
 */
export function traceRequests(tracer: Tracer): Middleware {
  return async (ctx, next) => {
    const incoming = propagation.extract(ROOT_CONTEXT, ctx.headers);
    const attributes = { "http.request.method": ctx.method };
    const span = tracer.startSpan(ctx.method, { kind: SpanKind.SERVER, attributes }, incoming);
    const { traceId, spanId, traceFlags } = span.spanContext();
    ctx.state.traceId = traceId;
    ctx.set("traceresponse", `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`);
    const end = () => {
      const { operation, requestId } = ctx.state;
      const route = operation && (isBelow(accountBasePath, ctx.path) ? accountBasePath : basePath) + operation.path;
      if (route) span.updateName(`${ctx.method} ${route}`);
      span.setAttributes({
        ...(operation && { "http.route": route, "project_feedback.operation": operation.id }),
        "http.response.status_code": ctx.status,
        "project_feedback.request_id": requestId,
      });
      if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
    try {
      await context.with(trace.setSpan(incoming, span), next);
    } finally {
      if (ctx.res.closed) end();
      else ctx.res.once("close", end);
    }
  };
}
