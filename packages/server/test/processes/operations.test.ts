import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../../src/cli/create-account.ts";
import { createKey } from "../../src/cli/create-key.ts";
import { connect } from "../../src/store/database.ts";
import { Caller } from "../harness/caller.ts";
import {
  freePort,
  freshFolder,
  run,
  runJson,
  type ServerProcess,
  serve,
  statusOf,
  until,
} from "../harness/processes.ts";
import { aProject } from "../harness/samples.ts";
import { uriOf } from "../harness/server.ts";

const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running) server.killGroup();
  await Promise.all(running.splice(0).map(({ exited }) => exited));
});
async function start(settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await serve(settings);
  running.push(server);
  return server;
}

const exited = async (server: ServerProcess) => {
  const late = sleep(20_000).then(() => "still running after 20 s");
  return Promise.race([server.exited, late]);
};

const developer = ["--role", "developer", "--plan", "team"];
async function aCaller(
  { origin }: ServerProcess,
  settings: Readonly<Record<string, string>>,
  fields: readonly string[] = developer,
): Promise<Caller> {
  const { id } = await runJson(["accounts", "create", "--name", "Somebody", ...fields], settings);
  const { key } = await runJson(["keys", "create", "--account", id], settings);
  return new Caller(origin, { id, key });
}

/** A request whose body comes only when `finish` is called. */
function slowPost(caller: Caller, path: string, body: object): { finish(): Promise<number> } {
  const text = JSON.stringify(body);
  const headers = {
    Authorization: `Bearer ${caller.key}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  };
  const sent = request(`${caller.origin}/v1${path}`, { method: "POST", headers, agent: false });
  const status = new Promise<number>((resolve, reject) => {
    sent.once("error", reject).once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
  status.catch(() => undefined);
  sent.write(text.slice(0, 5));
  return {
    finish() {
      sent.end(text.slice(5));
      return status;
    },
  };
}

describe("with the embedded database", () => {
  const folder = freshFolder();
  const settings = { DATA_DIR: folder.path };
  const keys: string[] = [];
  const logs: string[] = [];
  let projectId = "";
  let ownerKey: { id: string; key: string };
  afterAll(() => folder.remove());

  test("S-AUTH-3 C-KEY-2: the commands print exactly their JSON, whether the server runs or not", async () => {
    const account = async () => {
      const name = "Ada";
      const created = await runJson(["accounts", "create", "--name", name, ...developer], settings);
      expect(created).toEqual({ id: expect.stringMatching(/^acc_/), name, role: "developer", plan: "team" });
      const key = await runJson(["keys", "create", "--account", created.id, "--name", "laptop"], settings);
      expect(key).toEqual({
        id: expect.stringMatching(/^key_/),
        key: expect.stringMatching(/^pfs_[0-9A-Za-z]{46}$/),
        accountId: created.id,
        name: "laptop",
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: null,
      });
      const rotated = await runJson(["keys", "rotate", key.id], settings);
      expect(rotated).toEqual({
        ...{ id: expect.any(String), key: expect.any(String), accountId: created.id, name: "laptop" },
        ...{ createdAt: expect.any(String), expiresAt: null, replaced: key.id, replacedUntil: expect.any(String) },
      });
      const listed = await runJson(["keys", "list", "--account", created.id], settings);
      const unused = { expiresAt: null, lastUsedAt: null, lastUsedFrom: null };
      const shown = { accountId: created.id, name: "laptop", createdAt: expect.any(String), ...unused };
      const ends = ({ id, key }: { id: string; key: string }) => ({
        id,
        prefix: key.slice(0, 8),
        ending: key.slice(-4),
      });
      expect(listed).toEqual([
        { ...shown, ...ends(key), revokedAt: expect.any(String), replacedBy: rotated.id },
        { ...shown, ...ends(rotated), revokedAt: null, replacedBy: null },
      ]);
      expect(await runJson(["accounts", "set-plan", created.id, "pro"], settings)).toEqual({ ...created, plan: "pro" });
      expect(await runJson(["counts", "verify"], settings)).toEqual({ clean: true, differences: [] });
      keys.push(key.key, rotated.key);
      return created;
    };
    const fields = ["--name", "Eve", "--role", "tester"];
    const before = await runJson(["accounts", "create", ...fields], settings);
    expect(before).toEqual({ id: expect.stringMatching(/^acc_/), name: "Eve", role: "tester", plan: "free" });
    expect(await runJson(["counts", "verify"], settings)).toEqual({ clean: true, differences: [] });

    const server = await start({ ...settings, LOG_LEVEL: "debug" });
    const during = await account();
    const listed = await runJson(["accounts", "list"], settings);
    const rest = { disabled: false, createdAt: expect.any(String) };
    expect(listed).toEqual([
      { ...before, ...rest },
      { ...during, plan: "pro", ...rest },
    ]);
    const revoked = await runJson(["keys", "list", "--account", during.id], settings).then(([, { id }]) =>
      runJson(["keys", "revoke", id], settings),
    );
    expect(revoked).toEqual({
      ...{ id: expect.any(String), accountId: during.id, name: "laptop", revokedAt: expect.any(String) },
    });
    expect(await runJson(["accounts", "disable", during.id], settings)).toEqual({
      ...{ ...during, plan: "pro", disabled: true },
    });
    const unusable = await run(["keys", "create", "--account", during.id], settings);
    expect(unusable.stdout).toContain(`disabled. The key works after: project-feedback accounts enable ${during.id}`);
    expect(await runJson(["accounts", "enable", during.id], settings)).toEqual({
      ...{ ...during, plan: "pro", disabled: false },
    });
    expect(await runJson(["counts", "repair"], settings)).toEqual({ repaired: [] });
    server.signal("SIGINT");
    expect(await exited(server)).toBe(0);
    logs.push(server.output.stdout, server.output.stderr);
  }, 120_000);

  test("the exit codes are the documented ones", async () => {
    const codes = await Promise.all([
      run(["accounts", "list"], settings),
      run(["keys", "create", "--account", "acc_nobody"], settings),
      run(["keys", "revoke", "key_none"], settings),
      run(["accounts", "create", "--name", "A", "--role", "king"], settings),
      run(["accounts", "set-plan", "acc_nobody", "gold"], settings),
      run(["nonsense"], settings),
      run(["serve", "--help"], settings),
      run(["accounts", "list"], { MONGODB_URI: "mongodb://127.0.0.1:1/?directConnection=true" }),
      run(["accounts", "list"], { MONGODB_URI: "mongodb://127.0.0.1:1/?unheardOf=1" }),
    ]);
    expect(codes.map(({ code, stderr }) => ({ code, told: stderr !== "" }))).toEqual([
      ...[0, 1, 1, 2, 2, 2, 0, 3, 2].map((code, place) => ({ code, told: place !== 6 })),
    ]);
    for (const { stderr } of codes) expect(stderr).not.toMatch(/\n\s+at /);
  }, 60_000);

  test("SIGTERM: not ready, but running requests finish and new ones are answered; then it exits with all written", async () => {
    const server = await start({ ...settings, DRAIN_SECONDS: "2", LOG_LEVEL: "debug" });
    const owner = await aCaller(server, settings);
    const reader = await aCaller(server, settings, ["--role", "tester", "--plan", "pro"]);
    keys.push(owner.key, reader.key);
    ownerKey = { id: owner.id, key: owner.key };
    projectId = (await aProject(owner)).id;
    const slow = slowPost(owner, "/projects", { title: "Late", description: "Sent slowly.", category: "web" });
    for (let view = 0; view < 30; view += 1) await reader.get(`/projects/${projectId}`);

    server.signal("SIGTERM");
    await until(async () => (await statusOf(`${server.origin}/readyz`)) === 503, "it did not say that it drains");
    expect(await statusOf(`${server.origin}/healthz`)).toBe(200);
    const last = await reader.get(`/projects/${projectId}`);
    expect(last.status).toBe(200);
    await sleep(2_200);
    expect(await statusOf(`${server.origin}/healthz`)).toBe(0);
    expect(await slow.finish()).toBe(201);
    expect(await exited(server)).toBe(0);
    logs.push(server.output.stdout, server.output.stderr);

    const next = await start(settings);
    const again = new Caller(next.origin, reader);
    const { body, headers } = await again.get(`/projects/${projectId}`);
    expect(body.stats.views).toBe(31);
    // What was left of the first process's lease was given back.
    expect(Number(headers.get("X-RateLimit-Remaining"))).toBe(Number(last.headers.get("X-RateLimit-Remaining")) - 1);
    expect((await again.get("/projects")).body.pagination.total).toBe(2);
    next.signal("SIGINT");
    expect(await exited(next)).toBe(0);
  }, 60_000);

  test("SIGINT stops it at once, mongod included, and a second start keeps the data", async () => {
    const server = await start(settings);
    const owner = new Caller(server.origin, ownerKey);
    expect((await owner.get(`/projects/${projectId}`)).body.title).toBe("A project");
    const { pid } = JSON.parse(readFileSync(`${folder.path}/mongod.json`, "utf8"));
    const began = performance.now();
    server.signal("SIGINT");
    expect(await exited(server)).toBe(0);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");

    const second = await start(settings);
    expect((await new Caller(second.origin, ownerKey).get(`/projects/${projectId}`)).status).toBe(200);
  }, 60_000);

  test("C-KEY-1: no key is in any log", () => {
    const files = readdirSync(folder.path).filter((name) => name.includes("log"));
    const written = [...logs, ...files.map((name) => readFileSync(`${folder.path}/${name}`, "utf8"))].join("\n");
    expect(written).toContain("/projects".slice(1, -1));
    expect(keys.length).toBeGreaterThan(3);
    for (const key of keys) expect(written.includes(key)).toBe(false);
    // Not its secret part either.
    for (const key of keys) expect(written.includes(key.slice(10, 40))).toBe(false);
  });
});

describe("WORKERS=2", () => {
  const settings = { MONGODB_URI: "", WORKERS: "2" };
  beforeAll(() => {
    settings.MONGODB_URI = uriOf(`test_${randomUUID().slice(0, 8)}`);
  });

  test("serves on one port, sums its metrics, replaces a worker that is killed, and stops as one", async () => {
    const server = await start({ ...settings, LOG_LEVEL: "info", DRAIN_SECONDS: "3" });
    // The first worker answers before the other listens.
    await until(() => server.output.stdout.includes('"msg":"listening"'), "not all workers listen");
    const database = await connect(settings.MONGODB_URI);
    const { id } = await createAccount(database, { name: "A", role: "developer", plan: "team" });
    const caller = new Caller(server.origin, { id, key: (await createKey(database, id, "")).key });
    await database.client.close();
    const pids = () =>
      new Set(
        server.output.stdout
          .split("\n")
          .filter((line) => line.includes('"operation":"listProjects"'))
          .map((line) => JSON.parse(line).pid as number),
      );
    const ask = async (number: number) => {
      const close = { headers: { Connection: "close" } };
      for (let each = 0; each < number; each += 1) expect((await caller.get("/projects", close)).status).toBe(200);
    };
    await ask(10);
    await until(() => pids().size === 2, "one worker answered everything");
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    expect(metrics).toContain('project_feedback_requests_total{operation="listProjects",status="200"} 10');

    const [killed = 0] = pids();
    expect(killed).not.toBe(server.pid);
    process.kill(killed, "SIGKILL");
    await until(() => server.output.stdout.includes("another takes its place"), "the death was not noticed");
    await until(async () => {
      await ask(4);
      return pids().size === 3;
    }, "no worker took its place");

    server.signal("SIGTERM");
    await until(async () => (await statusOf(`${server.origin}/readyz`)) === 503, "it did not say that it drains");
    expect(await exited(server)).toBe(0);
  }, 90_000);

  test("stops although a worker has just been killed and another is only starting", async () => {
    const server = await start({ ...settings, LOG_LEVEL: "debug", DRAIN_SECONDS: "0" });
    await until(() => server.output.stdout.includes('"msg":"listening"'), "not all workers listen");
    for (let each = 0; each < 4; each += 1) await statusOf(`${server.origin}/healthz`);
    await until(() => /"pid":\d+,"requestId"/.test(server.output.stdout), "no worker answered");
    const worker = Number(/"pid":(\d+),"requestId"/.exec(server.output.stdout)?.[1]);
    process.kill(worker, "SIGKILL");
    await sleep(700);
    server.signal("SIGTERM");
    expect(await exited(server)).toBe(0);
  }, 60_000);

  test("that cannot listen end with the reason", async () => {
    const other = await start({ MONGODB_URI: settings.MONGODB_URI });
    const { code, stderr } = await run(["serve"], { ...settings, PORT: String(other.port), LOG_LEVEL: "silent" });
    expect(stderr).toContain(`Port ${other.port} is in use`);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  }, 40_000);
});

describe("a start that is refused", () => {
  const uri = () => uriOf(`test_${randomUUID().slice(0, 8)}`);

  test.each([
    ["HOST", { HOST: "0.0.0.0" }],
    ["HOST", { HOST: "192.0.2.1", TRUST_PROXY: "1" }],
    ["MONGODB_URI", { MONGODB_URI: "mongodb://127.0.0.1/?unheardOf=1" }],
  ])("S-BASE-2: names %s, with exit code 2: %j", async (name, settings) => {
    const all = { MONGODB_URI: uri(), PORT: "0", DEMO: "0", LOG_LEVEL: "silent", ...settings };
    const { code, stderr, stdout } = await run(["serve"], all);
    expect(stderr).toContain(name);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  test.each([
    ["MONGOD_BINARY", { MONGOD_BINARY: "/nowhere/mongod" }],
    ["DATA_DIR", { DATA_DIR: "/dev/null/data" }],
  ])("names %s, with exit code 3: no database", async (name, settings) => {
    const folder = freshFolder();
    const { code, stderr } = await run(["serve"], { DATA_DIR: folder.path, PORT: "0", DEMO: "0", ...settings });
    folder.remove();
    expect(stderr).toContain(name);
    expect(code).toBe(3);
  });

  test("where the port is in use", async () => {
    const other = await start({ MONGODB_URI: uri() });
    const { code, stderr } = await run(["serve"], { MONGODB_URI: uri(), PORT: String(other.port) });
    expect(stderr).toContain(`Port ${other.port} is in use`);
    expect(code).toBe(2);
  });
});

describe("C-RATE-3: the address that is counted without a key", () => {
  const ask = async (origin: string, forwarded: string) => {
    const response = await fetch(`${origin}/v1/projects`, { headers: { "X-Forwarded-For": forwarded } });
    await response.arrayBuffer();
    return { status: response.status, remaining: response.headers.get("X-RateLimit-Remaining") };
  };
  const uri = () => uriOf(`test_${randomUUID().slice(0, 8)}`);

  test("beside a proxy is the one that the proxy saw, whatever the client claims", async () => {
    const port = String(await freePort());
    const { origin } = await start({ MONGODB_URI: uri(), TRUST_PROXY: "1", ADDRESS_ALLOWANCE: "3", PORT: port });
    expect(await ask(origin, "192.0.2.1")).toEqual({ status: 401, remaining: "2" });
    expect(await ask(origin, "198.51.100.7, 192.0.2.1")).toEqual({ status: 401, remaining: "1" });
    expect(await ask(origin, "192.0.2.2")).toEqual({ status: 401, remaining: "2" });
    expect(await ask(origin, "203.0.113.9, 192.0.2.1")).toEqual({ status: 401, remaining: "0" });
    expect(await ask(origin, "203.0.113.9, 192.0.2.1")).toEqual({ status: 429, remaining: "0" });
    expect(await ask(origin, "192.0.2.1, 192.0.2.3")).toEqual({ status: 401, remaining: "2" });
  });

  test("without one is the connection's, and a claim is not believed", async () => {
    const { origin } = await start({ MONGODB_URI: uri(), ADDRESS_ALLOWANCE: "3" });
    for (const [place, status] of [401, 401, 401, 429, 429].entries()) {
      expect((await ask(origin, `192.0.2.${place}`)).status).toBe(status);
    }
  });
});
