import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Authenticator } from "../harness/authenticator.ts";
import { Browser, tokenOf } from "../harness/browser.ts";
import { freePort, freshFolder, run, runJson, type ServerProcess, serve } from "../harness/processes.ts";
import { uriOf } from "../harness/server.ts";

const folder = freshFolder();
let settings: Record<string, string>;
let server: ServerProcess;
beforeAll(async () => {
  const port = String(await freePort());
  settings = { MONGODB_URI: uriOf(`test_${randomUUID().slice(0, 8)}`), DATA_DIR: folder.path, PORT: port };
  server = await serve({ ...settings, WORKERS: "4", LOG_LEVEL: "debug", DEMO: "1", CONSOLE: "0", DRAIN_SECONDS: "0" });
  await vi.waitFor(() => expect(server.output.stdout).toContain('"msg":"listening"'), 30_000);
});
afterAll(async () => {
  server?.killGroup();
  await server?.exited;
  folder.remove();
});

/** Every request on a connection of its own, so that any of the four processes gets it. */
class Wanderer extends Browser {
  constructor() {
    super(server.origin, { Connection: "close" });
  }
}

test("C-ACC-2 C-KEY-2: with four processes on one database, everything works on any of them", async () => {
  const { id } = await runJson(
    ["accounts", "create", "--name", "Ada", "--role", "developer", "--plan", "team"],
    settings,
  );
  const { link, accountId } = await runJson(["accounts", "invite", "--account", id], settings);
  expect([accountId, link]).toEqual([id, expect.stringMatching(`^http://localhost:${server.port}/settings#link=pfl_`)]);
  const browser = new Wanderer();
  expect((await browser.post("/sign-in/link", { token: tokenOf(link) })).status).toBe(200);

  const authenticator = new Authenticator(browser.origin);
  for (let round = 0; round < 5; round += 1) {
    const visitor = new Wanderer();
    if (round === 0) {
      const { body: options } = await browser.post("/passkeys/options");
      const credential = authenticator.register(options);
      expect((await browser.post("/passkeys", { name: "phone", credential })).status).toBe(201);
    }
    const { body: request } = await visitor.post("/sign-in/passkey/options");
    const credential = authenticator.assert(request);
    expect((await visitor.post("/sign-in/passkey", { credential })).status).toBe(200);
    expect((await visitor.get("/account")).body.id).toBe(id);
  }
  expect((await browser.get("/sessions")).body.data).toHaveLength(6);

  const { body: created } = await browser.post("/keys", { name: "laptop" });
  const statuses = async (key: string) => {
    const headers = { Authorization: `Bearer ${key}`, Connection: "close" };
    const asked = Array.from({ length: 16 }, () => fetch(`${server.origin}/v1/me`, { headers }));
    return [...new Set((await Promise.all(asked)).map(({ status }) => status))];
  };
  expect(await statuses(created.key)).toEqual([200]);
  const { body: next } = await browser.post(`/keys/${created.id}/rotate`, { keepDays: 7 });
  expect([await statuses(created.key), await statuses(next.key)]).toEqual([[200], [200]]);
  const revokedAt = Date.now();
  await browser.delete(`/keys/${created.id}`);
  await vi.waitFor(async () => expect(await statuses(created.key)).toEqual([401]), { timeout: 5_000, interval: 50 });
  expect(Date.now() - revokedAt).toBeLessThan(5_000);
  expect(await statuses(next.key)).toEqual([200]);

  await vi.waitFor(
    async () => {
      const { hours } = (await browser.get("/usage?hours=2")).body;
      const total = hours.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0);
      expect(total).toBeGreaterThanOrEqual(64);
    },
    { timeout: 15_000, interval: 500 },
  );
  await browser.post("/sign-out");
  for (let round = 0; round < 8; round += 1) expect((await browser.get("/account")).status).toBe(401);
});

test("C-ACC-2: a sign-in attempt counts on every process", async () => {
  const limited = await serve({ ...settings, PORT: String(await freePort()), WORKERS: "4", SIGN_IN_ALLOWANCE: "8" });
  try {
    const attempts = Array.from({ length: 24 }, () => {
      const visitor = new Browser(limited.origin, { Connection: "close" });
      return visitor.post("/sign-in/link", { token: `pfl_${"a".repeat(43)}` });
    });
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    // The attempts of the test above came from this address too.
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(8);
    expect(statuses).toContain(429);
  } finally {
    limited.killGroup();
    await limited.exited;
  }
});

test("C-ACC-3: no key, link or cookie is on the standard output of a server that logs everything", async () => {
  const file = readFileSync(`${folder.path}/demo-keys.env`, "utf8");
  const link = /DEVELOPER_LINK='(.*)'/.exec(file)?.[1] ?? "";
  const browser = new Wanderer();
  await browser.post("/sign-in/link", { token: tokenOf(link) });
  const { body } = await browser.post("/keys", { name: "a" });
  await browser.get(`/account?token=${body.key}`);
  const secrets = [tokenOf(link), body.key, ...browser.cookies.values(), ...(file.match(/pf[sl]_[\w-]+/g) ?? [])];
  await vi.waitFor(() => expect(server.output.stdout).toContain('"operation":"createKey"'), 5_000);
  for (const secret of secrets) expect(server.output.stdout + server.output.stderr).not.toContain(secret.slice(8));
});

test("C-ACC-2: the command line invites no unknown and no disabled account", async () => {
  const unknown = await run(["accounts", "invite", "--account", "acc_none"], settings);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/There is no account acc_none\. List/)]);
  const { id } = await runJson(["accounts", "create", "--name", "Tom", "--role", "tester"], settings);
  await run(["accounts", "disable", id], settings);
  const disabled = await run(["accounts", "invite", "--account", id], settings);
  expect([disabled.code, disabled.stderr]).toEqual([1, expect.stringMatching(/is disabled\. Enable it/)]);
  await run(["accounts", "enable", id], settings);
  const publicUrl = { PUBLIC_URL: "https://feedback.example.com" };
  const { stdout } = await run(["accounts", "invite", "--account", id], { ...settings, ...publicUrl });
  expect(stdout).toMatch(/^https:\/\/feedback\.example\.com\/settings#link=pfl_[\w-]{43}\nIt works once, for one hour/);
});
