import { randomUUID } from "node:crypto";
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type ServerProcess, serve, until } from "../harness/processes.ts";
import { uriOf } from "../harness/server.ts";

const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running) server.killGroup();
  await Promise.all(running.splice(0).map(({ exited }) => exited));
});

async function start(settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await serve({ MONGODB_URI: uriOf(`test_${randomUUID().slice(0, 8)}`), ...settings });
  running.push(server);
  return server;
}

/** What a client got: the `Connection` header of a response, or the code of an error. */
type Outcome = { readonly connection: string | undefined } | { readonly error: string; readonly reused: boolean };

function ask(origin: string, agent: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = get(`${origin}/v1/projects`, { agent }, (response) => {
      response.resume().once("end", () => resolve({ connection: response.headers.connection }));
    });
    request.once("error", ({ code, message }: NodeJS.ErrnoException) =>
      resolve({ error: code ?? message, reused: request.reusedSocket }),
    );
  });
}

/** A client with one keep-alive connection, which asks again and again until the port is closed. */
async function askUntilRefused(origin: string, pauseMs: number): Promise<Outcome[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const outcomes: Outcome[] = [];
  for (;;) {
    const outcome = await ask(origin, agent);
    outcomes.push(outcome);
    if ("error" in outcome && outcome.error === "ECONNREFUSED") return outcomes;
    if (outcomes.length > 10_000) throw new Error("the server does not stop");
    await sleep(pauseMs);
  }
}

test.each([
  { signal: "SIGTERM", settings: {} },
  { signal: "SIGTERM", settings: { DRAIN_SECONDS: "0" } },
  { signal: "SIGINT", settings: {} },
  { signal: "SIGTERM", settings: { WORKERS: "2" } },
] as const)(
  "50 clients see no reset of a connection that they kept while a server stops: %j",
  async ({ signal, settings }) => {
    const server = await start(settings);
    const clients = Array.from({ length: 50 }, (_, index) => askUntilRefused(server.origin, 5 + index * 3));
    await sleep(1_000);
    server.signal(signal);
    const outcomes = (await Promise.all(clients)).flat();
    // A connection that is only being made while the port closes is refused or reset by the operating system.
    expect(outcomes.filter((outcome) => "error" in outcome && outcome.reused)).toEqual([]);
    expect(await server.exited).toBe(0);
  },
  60_000,
);

test("while a server drains, every response closes its connection, one that was running before too", async () => {
  const server = await start({ DRAIN_SECONDS: "2", LOG_LEVEL: "info" });
  const agent = new Agent({ keepAlive: true });
  expect(await ask(server.origin, agent)).toEqual({ connection: "keep-alive" });
  server.signal("SIGTERM");
  await until(() => server.output.stdout.includes('"msg":"stopping"'), "it does not stop");
  expect(await ask(server.origin, agent)).toEqual({ connection: "close" });
  expect(await ask(server.origin, agent)).toEqual({ connection: "close" });
  expect(await server.exited).toBe(0);
});

test("an idle connection does not hold up a stop", async () => {
  const server = await start({ DRAIN_SECONDS: "0" });
  const agents = Array.from({ length: 5 }, () => new Agent({ keepAlive: true }));
  await Promise.all(agents.map((agent) => ask(server.origin, agent)));
  const began = performance.now();
  server.signal("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(performance.now() - began).toBeLessThan(3_000);
});
