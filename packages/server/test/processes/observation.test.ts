import { randomUUID } from "node:crypto";
import { connect as connectSocket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createAccount } from "../../src/cli/create-account.ts";
import { createKey } from "../../src/cli/create-key.ts";
import { newKey } from "../../src/domain/key.ts";
import { connect } from "../../src/store/database.ts";
import { Caller } from "../harness/caller.ts";
import { type ServerProcess, serve, statusOf, until } from "../harness/processes.ts";
import { aProject } from "../harness/samples.ts";
import { uriOf } from "../harness/server.ts";

const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running) server.killGroup();
  await Promise.all(running.splice(0).map(({ exited }) => exited));
});

async function start(settings: Readonly<Record<string, string>> = {}) {
  const uri = uriOf(`test_${randomUUID().slice(0, 8)}`);
  const server = await serve({ MONGODB_URI: uri, LOG_LEVEL: "info", ...settings });
  running.push(server);
  const database = await connect(uri);
  const { id } = await createAccount(database, { name: "A", role: "developer", plan: "free" });
  const { key } = await createKey(database, id, "");
  await database.client.close();
  return { server, ada: new Caller(server.origin, { id, key }) };
}

/** The lines of the log, when the last of them is written. */
async function linesOf(server: ServerProcess, last: string): Promise<Record<string, unknown>[]> {
  await until(() => server.output.stdout.includes(last), `the log lacks ${last}`);
  return server.output.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Gives up after a time: Node's cluster never answers a connection that it handed to a worker as that was killed. */
async function metricsOf({ origin }: ServerProcess): Promise<string> {
  return (await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(3_000) })).text();
}

/** The value of a sample, named with its labels; undefined where there is none. */
function sampleOf(metrics: string, sample: string): number | undefined {
  const line = metrics.split("\n").find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length));
}

describe("the log", () => {
  test("has the client's address and the path of a refused request, without its query", async () => {
    const { server, ada } = await start();
    await ada.get("/projects?perPage=5&search=private");
    await ada.get("/projects/prj_unknown?secret=1");
    await ada.get(`/${"long".repeat(500)}`);
    await new Caller(server.origin, undefined).get("/projects?secret=2");
    await new Caller(server.origin, { id: "", key: newKey() }).get("/me-and-mine");
    const lines = await linesOf(server, "/v1/me-and-mine");
    const refused = lines.filter(({ status }) => Number(status) >= 400);
    expect(refused).toHaveLength(4);
    for (const line of refused) expect(line).toMatchObject({ address: "127.0.0.1", level: 30, ms: expect.any(Number) });
    expect(refused[0]).toMatchObject({ status: 400, path: "/v1/projects/prj_unknown", operation: "getProject" });
    expect(String(refused[1]?.path).length).toBe(256);
    const [accepted] = lines.filter(({ status }) => status === 200);
    expect(accepted).not.toHaveProperty("path");
    expect(accepted).not.toHaveProperty("address");
    expect(server.output.stdout).not.toMatch(/secret|private/);
  });

  test("has the address that a trusted proxy names", async () => {
    const { server } = await start({ TRUST_PROXY: "1" });
    await fetch(`${server.origin}/v1/projects`, { headers: { "X-Forwarded-For": "192.0.2.7" } });
    expect(await linesOf(server, '"status":401')).toContainEqual(expect.objectContaining({ address: "192.0.2.7" }));
  });

  test.each([
    ["info", false],
    ["debug", true],
  ])("at level %s shows probes: %s", async (level, isShown) => {
    const { server, ada } = await start({ LOG_LEVEL: level });
    for (const path of ["healthz", "readyz", "metrics"]) await (await fetch(`${server.origin}/${path}`)).text();
    await ada.get("/projects");
    const lines = await linesOf(server, "listProjects");
    expect(lines.some(({ msg, operation }) => msg === "request" && operation === "none")).toBe(isShown);
    for (const line of lines) if (line.operation === "none") expect(line.level).toBe(20);
  });
});

describe("the metrics", () => {
  test("keep the rules of promtool check metrics", async () => {
    const { server } = await start();
    const metrics = await metricsOf(server);
    const types = [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => ({ name, type }));
    expect(types.length).toBeGreaterThan(30);
    for (const { name, type } of types) {
      expect(name.endsWith("_total"), name).toBe(type === "counter");
      expect(name, name).toMatch(/^[a-z][a-z0-9_]+$/);
      expect(name, name).not.toMatch(/_(count|sum|bucket|info_total|milliseconds|ms|minutes|kilobytes|megabytes)$/);
      expect(metrics).toMatch(new RegExp(`^# HELP ${name} \\S`, "m"));
    }
  });

  test("count what operators ask for", async () => {
    const { server, ada } = await start({ ADDRESS_ALLOWANCE: "2" });
    const stranger = new Caller(server.origin, undefined);
    for (const status of [401, 401, 429]) expect((await stranger.get("/projects")).status).toBe(status);
    await aProject(ada);
    const socket = connectSocket(server.port, "127.0.0.1");
    const metrics = await metricsOf(server);
    socket.destroy();
    expect(sampleOf(metrics, "project_feedback_rate_limited_total")).toBe(1);
    expect(sampleOf(metrics, 'project_feedback_requests_total{operation="createProject",status="201"}')).toBe(1);
    // The request for the metrics is one itself.
    expect(sampleOf(metrics, "project_feedback_requests_in_flight")).toBe(1);
    expect(sampleOf(metrics, "project_feedback_connections")).toBeGreaterThan(1);
    expect(sampleOf(metrics, 'project_feedback_database_up{access="reads"}')).toBe(1);
    expect(sampleOf(metrics, 'project_feedback_database_up{access="writes"}')).toBe(1);
    expect(sampleOf(metrics, "project_feedback_database_pool_connections")).toBeGreaterThan(0);
    expect(sampleOf(metrics, "project_feedback_database_pool_connections_in_use")).toBeGreaterThanOrEqual(0);
    expect(sampleOf(metrics, "project_feedback_database_pool_waiting")).toBe(0);
    expect(sampleOf(metrics, "project_feedback_database_pool_waits_total")).toBeGreaterThan(0);
    expect(sampleOf(metrics, "project_feedback_database_pool_wait_seconds_total")).toBeGreaterThan(0);
    expect(sampleOf(metrics, "project_feedback_database_pool_wait_failures_total")).toBe(0);
    expect(sampleOf(metrics, "project_feedback_worker_restarts_total")).toBe(0);
    expect(metrics).toContain(`project_feedback_build_info{version="1.0.0",node="${process.versions.node}"} 1`);
  });

  test("of several workers are summed, and count workers that were replaced", async () => {
    const { server } = await start({ WORKERS: "2", LOG_LEVEL: "debug" });
    await until(() => server.output.stdout.includes('"msg":"listening"'), "not all workers listen");
    await until(async () => {
      await statusOf(`${server.origin}/healthz`);
      return /"pid":\d+,"requestId"/.test(server.output.stdout);
    }, "no worker answered");
    const worker = Number(/"pid":(\d+),"requestId"/.exec(server.output.stdout)?.[1]);
    process.kill(worker, "SIGKILL");
    await until(
      async () => sampleOf(await metricsOf(server).catch(() => ""), "project_feedback_worker_restarts_total") === 1,
      "the restart is not counted",
    );
    const metrics = await metricsOf(server);
    // Not summed: two workers do not make two databases.
    expect(sampleOf(metrics, 'project_feedback_database_up{access="reads"}')).toBe(1);
    expect(metrics).toContain(`project_feedback_build_info{version="1.0.0",node="${process.versions.node}"} 1`);
    const shared = metrics.split("\n").filter((line) => line.startsWith("# TYPE project_feedback_"));
    expect(new Set(shared).size).toBe(shared.length);
  });

  test("and readiness are looked up once a second at most, however often they are asked for", async () => {
    const { server } = await start();
    const waits = async () => sampleOf(await metricsOf(server), "project_feedback_database_pool_waits_total") ?? 0;
    const before = await waits();
    const began = performance.now();
    for (let each = 0; each < 100; each += 1) await (await fetch(`${server.origin}/readyz`)).text();
    const seconds = (performance.now() - began) / 1_000;
    await until(async () => (await waits()) > before, "the metrics stay the same");
    // Two commands for each look-up, and what the background timers send.
    expect((await waits()) - before).toBeLessThan(20 + 20 * seconds);
  });
});
