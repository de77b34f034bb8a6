// Sends traces of a real server to the OTLP receiver of the OpenTelemetry Collector, and checks what arrives:
// `pnpm --filter @project-feedback/interop tracing`. Go 1.24 or later is required.
import { strict as assert } from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startServer } from "../src/server.ts";

const collector = "v0.160.0";
const scratch = mkdtempSync(join(tmpdir(), "project-feedback-tracing-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** What is checked of a span, in the JSON form of OTLP. */
interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

function buildReceiver(): string {
  const go = (...words: string[]) =>
    execFileSync("go", words, { cwd: scratch, stdio: ["ignore", "inherit", "inherit"] });
  copyFileSync(fileURLToPath(new URL("receiver.go", import.meta.url)), join(scratch, "main.go"));
  go("mod", "init", "example.com/receiver");
  go("get", `go.opentelemetry.io/collector/receiver/otlpreceiver@${collector}`);
  go("mod", "tidy");
  go("build", "-o", "receiver", ".");
  return join(scratch, "receiver");
}

const receiver = spawn(buildReceiver(), { stdio: ["ignore", "pipe", "inherit"] });
process.once("exit", () => receiver.kill());
const lines = createInterface({ input: receiver.stdout });
const [address] = (await once(lines, "line")) as [string];
const received: string[] = [];
lines.on("line", (line) => received.push(line));

const server = await startServer(join(scratch, "data"), { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${address}` });
const key = server.keyOf("Developer", "developer");
const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentSpanId = "b7ad6b7169203331";
const response = await fetch(`${server.base}/projects`, {
  method: "POST",
  headers: {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    traceparent: `00-${traceId}-${parentSpanId}-01`,
  },
  body: JSON.stringify({ title: "A secret title", description: "A secret description.", category: "mobile" }),
});
assert.equal(response.status, 201);
assert.equal(await server.stop(), 0);
receiver.kill("SIGTERM");
await once(receiver, "close");

const spans = received
  .flatMap((line) => (JSON.parse(line) as Traces).resourceSpans)
  .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
const request = spans.find(({ name }) => name === "POST /v1/projects");
assert.ok(request, "the span of the request arrived");
assert.deepEqual([request.traceId, request.parentSpanId], [traceId, parentSpanId]);
const status = request.attributes.find((attribute) => attribute.key === "http.response.status_code");
assert.deepEqual(status?.value, { intValue: "201" });
const commands = spans.filter((span) => span.traceId === traceId && span !== request).map(({ name }) => name);
assert.ok(commands.includes("insert projects"), `the commands of the request arrived: ${commands.join(", ")}`);
assert.ok(
  received.some((line) => line.includes('"project-feedback"')),
  "the resource names the service",
);
assert.doesNotMatch(received.join("\n"), /pfs_|secret/);
console.log(`The collector's receiver got ${spans.length} spans: the request, and ${commands.join(", ")}.`);
