import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAccount } from "../../src/cli/create-account.ts";
import type { Browser } from "../harness/browser.ts";
import { signedIn } from "../harness/browser.ts";
import { Caller } from "../harness/caller.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const withinFiveSeconds = { timeout: 5_000, interval: 100 };
const dayMs = 86_400_000;

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startServer();
  other = await startServer({ databaseName: server.databaseName });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const statusOf = async (key: string, on: TestServer = server) =>
  (await new Caller(on.origin, { id: "", key }).get("/me")).status;

async function create(browser: Browser, fields: object = { name: "laptop" }) {
  const { status, body } = await browser.post("/keys", fields);
  expect(status).toBe(201);
  return body;
}

test.concurrent("C-KEY-1 S-AUTH-3: a key created in the browser is shown once, and works in v1", async () => {
  const { browser, accountId } = await signedIn(server);
  const { key, ...shown } = await create(browser, { name: "laptop", expiresInDays: 90 });
  expect(shown).toMatchObject({
    name: "laptop",
    prefix: key.slice(0, 8),
    ending: key.slice(-4),
    status: "active",
    revokedAt: null,
    replacedBy: null,
    lastUsedAt: null,
    lastUsedFrom: null,
  });
  expect(new Date(shown.expiresAt).getTime()).toBe(new Date(shown.createdAt).getTime() + 90 * dayMs);
  const { body: me } = await new Caller(server.origin, { id: "", key }).get("/me");
  expect(me).toMatchObject({ id: accountId, role: "developer" });

  const { body: listed, text } = await browser.get("/keys");
  expect(listed).toEqual({ data: [shown], limit: 20 });
  expect(text).not.toContain(key);
  const stored = await Promise.all((await server.database.db.collections()).map((each) => each.find().toArray()));
  expect(JSON.stringify(stored)).not.toContain(key);
});

test.concurrent("C-KEY-1: the time and the network of a key's last use are shown, and no more of the address", async () => {
  const { browser } = await signedIn(server);
  const { key } = await create(browser);
  const asked = Date.now();
  await statusOf(key);
  await vi.waitFor(
    async () => {
      const [shown] = (await browser.get("/keys")).body.data;
      expect(new Date(shown.lastUsedAt).getTime()).toBeGreaterThanOrEqual(asked);
      expect(shown.lastUsedFrom).toBe("127.0.0.0/24");
    },
    { timeout: 10_000, interval: 200 },
  );
});

test.concurrent("C-KEY-2: a key can be renamed, and its secret stays", async () => {
  const { browser } = await signedIn(server);
  const { key, id } = await create(browser);
  const { status, body } = await browser.patch(`/keys/${id}`, { name: "<b>build</b> server" });
  expect([status, body.name]).toEqual([200, "<b>build</b> server"]);
  expect(await statusOf(key)).toBe(200);
});

test.concurrent("C-KEY-2: a key revoked in the browser stops within 5 s on every process", async () => {
  const { browser } = await signedIn(server);
  const { key, id } = await create(browser);
  const onBoth = () => Promise.all([statusOf(key), statusOf(key, other)]);
  expect(await onBoth()).toEqual([200, 200]);
  const { status, body } = await browser.delete(`/keys/${id}`);
  expect([status, body.status]).toEqual([200, "revoked"]);
  await vi.waitFor(async () => expect(await onBoth()).toEqual([401, 401]), withinFiveSeconds);
  const again = await browser.delete(`/keys/${id}`);
  expect(again.body).toEqual(body);
  expect((await browser.get("/keys")).body.data).toMatchObject([{ id, status: "revoked" }]);
});

test.concurrent("C-KEY-3: an expired key is an invalid key, on a process that has just served it too", async () => {
  const { browser } = await signedIn(server);
  const { key, id } = await create(browser, { name: "short", expiresInDays: 1 });
  expect(await statusOf(key)).toBe(200);
  const end = new Date(Date.now() + 4_500);
  await server.database.keys.updateOne({ _id: id }, { $set: { expiresAt: end } });
  await vi.waitFor(async () => expect(await statusOf(key)).toBe(401), { timeout: 8_000, interval: 50 });
  // Never before its end, and at once after it: the cache knows when it ends.
  expect(Date.now()).toBeGreaterThanOrEqual(end.getTime());
  expect(Date.now() - end.getTime()).toBeLessThan(2_000);
  expect((await browser.get("/keys")).body.data).toMatchObject([{ status: "expired" }]);
});

test.concurrent("C-KEY-3: rotation makes the next key at once, and the old one lives as long as was asked", async () => {
  const { browser } = await signedIn(server);
  const old = await create(browser, { name: "deploy", expiresInDays: 30 });
  const { status, body: next } = await browser.post(`/keys/${old.id}/rotate`, { keepDays: 7 });
  expect([status, next.name]).toEqual([201, "deploy"]);
  expect(new Date(next.expiresAt).getTime() - new Date(next.createdAt).getTime()).toBe(30 * dayMs);
  expect([await statusOf(old.key), await statusOf(next.key)]).toEqual([200, 200]);
  const { data } = (await browser.get("/keys")).body;
  const shown = data.find(({ id }: { id: string }) => id === old.id);
  expect(shown).toMatchObject({ status: "active", replacedBy: next.id });
  expect(new Date(shown.expiresAt).getTime()).toBe(new Date(next.createdAt).getTime() + 7 * dayMs);
  expect((await browser.post(`/keys/${old.id}/rotate`, {})).body.code).toBe("key_not_live");

  const { body: last } = await browser.post(`/keys/${next.id}/rotate`, {});
  await vi.waitFor(async () => expect(await statusOf(next.key)).toBe(401), withinFiveSeconds);
  expect(await statusOf(last.key)).toBe(200);
});

test.concurrent("C-KEY-3: a key never lives longer by its rotation, and more than 7 days cannot be asked for", async () => {
  const { browser } = await signedIn(server);
  const old = await create(browser, { name: "short", expiresInDays: 1 });
  expect((await browser.post(`/keys/${old.id}/rotate`, { keepDays: 8 })).status).toBe(400);
  expect((await browser.post(`/keys/${old.id}/rotate`, { keepDays: 7 })).status).toBe(201);
  const { data } = (await browser.get("/keys")).body;
  expect(data.find(({ id }: { id: string }) => id === old.id).expiresAt).toBe(old.expiresAt);
});

test.concurrent("C-KEY-3: two rotations of one key at the same time make one key", async () => {
  const { browser } = await signedIn(server);
  const old = await create(browser);
  const both = await Promise.all([1, 2].map(() => browser.post(`/keys/${old.id}/rotate`, { keepDays: 1 })));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect((await browser.get("/keys")).body.data).toHaveLength(2);
});

test.concurrent("C-KEY-3: of 40 keys created at the same time on two processes, an account gets 20", async () => {
  const { browser, accountId } = await signedIn(server);
  const second = await signedIn(other);
  await second.browser.signIn(server.database, accountId);
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      (number % 2 ? browser : second.browser).post("/keys", { name: `key ${number}` }),
    ),
  );
  const created = results.filter(({ status }) => status === 201);
  expect(created, JSON.stringify(results.map(({ status }) => status))).toHaveLength(20);
  for (const { status, body } of results.filter((each) => !created.includes(each))) {
    expect([status, body.code]).toEqual([409, "key_limit"]);
  }
  // A revoked key makes room for one, and a rotation without an overlap needs none.
  const [first] = created;
  expect((await browser.post(`/keys/${first?.body.id}/rotate`, { keepDays: 0 })).status).toBe(201);
  const [, next] = created;
  expect((await browser.post(`/keys/${next?.body.id}/rotate`, { keepDays: 1 })).body.code).toBe("key_limit");
  await browser.delete(`/keys/${next?.body.id}`);
  expect((await browser.post("/keys", { name: "one more" })).status).toBe(201);
});

test.concurrent("C-KEY-2: the keys of another account are unknown", async () => {
  const ada = await signedIn(server);
  const { id, key } = await create(ada.browser);
  const { browser: bob } = await signedIn(server);
  for (const tried of [
    bob.patch(`/keys/${id}`, { name: "mine" }),
    bob.post(`/keys/${id}/rotate`, {}),
    bob.delete(`/keys/${id}`),
    bob.delete("/keys/key_none"),
  ]) {
    const { status, body } = await tried;
    expect([status, body.code]).toEqual([404, "key_not_found"]);
  }
  expect(await statusOf(key)).toBe(200);
});

test.concurrent("C-ACC-2: an account without a role chooses it once, and has no keys before", async () => {
  const { browser, accountId } = await signedIn(server);
  await server.database.accounts.updateOne({ _id: accountId }, { $set: { role: null } });
  expect((await browser.get("/account")).body.role).toBeNull();
  expect((await browser.post("/keys", { name: "early" })).body.code).toBe("role_not_chosen");
  expect((await browser.post("/account/role", { role: "admin" })).status).toBe(400);
  const both = await Promise.all(["tester", "developer"].map((role) => browser.post("/account/role", { role })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { body } = await browser.get("/account");
  expect(body.role).toBe(both.find(({ status }) => status === 200)?.body.role);
  expect((await browser.post("/keys", { name: "now" })).status).toBe(201);
});

test.concurrent("C-KEY-2: keys of an account created without a session are listed beside the others", async () => {
  const { id } = await createAccount(server.database, { name: "Tom", role: "tester", plan: "free" });
  const caller = await server.anotherKey({ id });
  const { browser, accountId } = await signedIn(server);
  expect(accountId).not.toBe(id);
  await browser.signIn(server.database, id);
  expect((await browser.get("/keys")).body.data).toMatchObject([{ name: "test", prefix: caller.key.slice(0, 8) }]);
});
