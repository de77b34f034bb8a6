import { readFileSync } from "node:fs";
import { DiagLogLevel, diag, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from "@opentelemetry/sdk-trace-node";
import type { CommandStartedEvent, MongoClient } from "mongodb";
import type { Log, Middleware } from "./http/context.ts";
import { traceRequests } from "./http/trace-requests.ts";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Spans of requests and of the commands of the database that they cause, sent to an OpenTelemetry collector. */
export interface Tracing {
  readonly traceRequests: Middleware;
  /** Traces the commands of a client that monitors them. */
  traceCommands(client: MongoClient): void;
  /** Sends what is pending. */
  stop(): Promise<void>;
}

/**
 * Starts tracing. The variables of OpenTelemetry apply: `OTEL_EXPORTER_OTLP_*`, `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER` and `OTEL_BSP_*`.
 * @param log gets the problems of the exporter, such as a collector that is away
 */
export function startTracing(log: Log, exporter: SpanExporter = new OTLPTraceExporter()): Tracing {
  const report = (message: string) => log.warn({ problem: message.slice(0, 1_000) }, "tracing has a problem");
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const own = { "service.name": "project-feedback", "service.version": manifest.version };
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  const tracer = provider.getTracer("project-feedback");
  return {
    traceRequests: traceRequests(tracer),
    traceCommands: (client) => traceCommands(client, tracer),
    stop: () => provider.shutdown(),
  };
}

/**
 * Records a span for each command that a request causes. Requests that share a command share its span, which belongs to
 * the one that sent it. Work in the background has no spans: its timers may begin in a request, whose span has ended.
 */
function traceCommands(client: MongoClient, tracer: Tracer): void {
  const spans = new Map<number, ReturnType<Tracer["startSpan"]>>();
  client.on("commandStarted", (event) => {
    if (trace.getActiveSpan()?.isRecording()) spans.set(event.requestId, startSpan(tracer, event));
  });
  const end = (requestId: number, failure?: Error) => {
    const span = spans.get(requestId);
    spans.delete(requestId);
    if (failure) span?.setAttribute("error.type", failure.name).setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  };
  client.on("commandSucceeded", ({ requestId }) => end(requestId));
  client.on("commandFailed", ({ requestId, failure }) => end(requestId, failure));
}

function startSpan(tracer: Tracer, { commandName, databaseName, command }: CommandStartedEvent) {
  const collection: unknown = command[commandName];
  const isNamed = typeof collection === "string";
  return tracer.startSpan(isNamed ? `${commandName} ${collection}` : commandName, {
    kind: SpanKind.CLIENT,
    attributes: {
      "db.system.name": "mongodb",
      "db.namespace": databaseName,
      "db.operation.name": commandName,
      ...(isNamed && { "db.collection.name": collection }),
    },
  });
}
