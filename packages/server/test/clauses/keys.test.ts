import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isKey, newKey } from "../../src/domain/key.ts";
import { Caller } from "../harness/caller.ts";
import { startServer, type TestServer, uriOf } from "../harness/server.ts";

const withinFiveSeconds = { timeout: 5_000, interval: 100 };
const main = fileURLToPath(new URL("../../src/cli/main.js", import.meta.url));

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

/** The output of a command. */
async function command(...args: string[]): Promise<string> {
  const env = { ...process.env, MONGODB_URI: uriOf(server.databaseName) };
  return (await promisify(execFile)(process.execPath, [main, ...args], { env })).stdout;
}

test.concurrent("S-AUTH-3 C-KEY-2: a key is shown only when it is created; a lost key can be rotated", async () => {
  const create = ["accounts", "create", "--name", "Ada", "--role", "developer", "--plan", "pro", "--json"];
  const account = JSON.parse(await command(...create));
  expect(account).toMatchObject({ name: "Ada", role: "developer", plan: "pro" });
  const first = JSON.parse(await command("keys", "create", "--account", account.id, "--name", "laptop", "--json"));
  const statusOf = async (key: string) =>
    (await new Caller(server.origin, { id: account.id, key }).get("/projects")).status;
  expect(await statusOf(first.key)).toBe(200);

  const lists = [
    ["keys", "list", "--account", account.id, "--json"],
    ["keys", "list"],
  ];
  const listings = await Promise.all(lists.map((list) => command(...list)));
  for (const listing of listings) expect(listing).not.toContain(first.key);
  expect(JSON.parse(listings[0] as string)[0]).toMatchObject({ id: first.id, name: "laptop" });
  const stored = await Promise.all((await server.database.db.collections()).map((each) => each.find().toArray()));
  expect(JSON.stringify(stored)).not.toContain(first.key);

  const second = JSON.parse(await command("keys", "rotate", first.id, "--json"));
  expect(second.key).not.toBe(first.key);
  expect(await statusOf(second.key)).toBe(200);
  await vi.waitFor(async () => expect(await statusOf(first.key)).toBe(401), withinFiveSeconds);
});

test.concurrent("C-KEY-2 C-KEY-3: the command line creates keys with an expiry, renames them, and keeps a replaced one for days", async () => {
  const ada = await server.account();
  const fails = (...args: string[]) =>
    command(...args).then(
      () => "",
      ({ code, stderr }) => `${code} ${stderr}`,
    );
  const created = JSON.parse(await command("keys", "create", "--account", ada.id, "--expires", "90", "--json"));
  expect(new Date(created.expiresAt).getTime() - new Date(created.createdAt).getTime()).toBe(90 * 86_400_000);
  expect(JSON.parse(await command("keys", "rename", created.id, "build server", "--json"))).toMatchObject({
    id: created.id,
    name: "build server",
  });
  const rotated = JSON.parse(await command("keys", "rotate", created.id, "--keep", "7", "--json"));
  expect(rotated).toMatchObject({ name: "build server", replaced: created.id });
  const statusOf = async (key: string) => (await new Caller(server.origin, { id: "", key }).get("/me")).status;
  expect([await statusOf(created.key), await statusOf(rotated.key)]).toEqual([200, 200]);
  expect(new Date(rotated.replacedUntil).getTime() - new Date(rotated.createdAt).getTime()).toBe(7 * 86_400_000);
  expect(await fails("keys", "rotate", created.id)).toMatch(/^1 .*replaced before.*Create a new one/);
  expect(await fails("keys", "rotate", rotated.id, "--keep", "8")).toMatch(/^2 --keep is "8".* 0 to 7\./);
  expect(await fails("keys", "create", "--account", ada.id, "--expires", "soon")).toMatch(/^2 --expires/);
  expect(await fails("keys", "rename", rotated.id, " ")).toMatch(/^2 The name/);
});

test.concurrent("C-KEY-3: the command line creates no more keys than an account may have", async () => {
  const ada = await server.account();
  for (let count = 1; count < 20; count += 1) await server.anotherKey(ada);
  const { code, stderr } = await command("keys", "create", "--account", ada.id).catch((error) => error);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/20 live keys.*Revoke one/)]);
});

test.concurrent("C-KEY-1: a key that an earlier version stored works, and has no end and no last four", async () => {
  const ada = await server.account();
  const gone = { ending: "", expiresAt: "", lastUsedFrom: "", replacedBy: "" } as const;
  await server.database.keys.updateMany({ accountId: ada.id }, { $unset: gone });
  expect((await ada.get("/me")).status).toBe(200);
  expect(await server.keys.list(ada.id)).toMatchObject([{ ending: null, expiresAt: null, replacedBy: null }]);
});

test.concurrent("C-KEY-1: a key is pfs_ with 40 random characters and a checksum that detects every single-character error", async () => {
  const key = newKey();
  expect(key).toMatch(/^pfs_[0-9A-Za-z]{46}$/);
  expect(isKey(key)).toBe(true);
  for (let at = 4; at < key.length; at += 1) {
    const wrong = key.slice(0, at) + (key[at] === "a" ? "b" : "a") + key.slice(at + 1);
    expect(isKey(wrong), wrong).toBe(false);
  }
  expect(new Set(Array.from({ length: 1_000 }, () => newKey())).size).toBe(1_000);
});

test.concurrent("C-KEY-1: only the SHA-256 of a key is stored, with the data that identifies it", async () => {
  const ada = await server.account();
  const digest = createHash("sha256").update(ada.key).digest("base64url");
  const [kept] = await server.database.keys.find({ accountId: ada.id }).toArray();
  expect(kept).toEqual({
    _id: expect.stringMatching(/^key_/),
    accountId: ada.id,
    name: "test",
    prefix: ada.key.slice(0, 8),
    ending: ada.key.slice(-4),
    createdAt: expect.any(Date),
    expiresAt: null,
    lastUsedAt: null,
    lastUsedFrom: null,
    revokedAt: null,
    replacedBy: null,
    digest,
  });
  // The stored data cannot be used as a key.
  for (const text of [digest, kept?._id ?? "", kept?.prefix ?? ""]) {
    expect((await new Caller(server.origin, { id: ada.id, key: text }).get("/projects")).status).toBe(401);
  }
  const asked = new Date();
  await ada.get("/projects");
  const used = async () => (await server.keys.list(ada.id))[0]?.lastUsedAt?.getTime() ?? 0;
  await vi.waitFor(async () => expect(await used()).toBeGreaterThanOrEqual(asked.getTime()), {
    timeout: 8_000,
    interval: 100,
  });
});

test.concurrent("C-KEY-1: no key and no body appears in the log", async () => {
  const ada = await server.account();
  await ada.post("/projects", { title: "Sesame", description: "A secret door.", category: "web" });
  await ada.post("/projects", { title: "Sesame", apiKey: ada.key });
  await new Caller(server.origin, { id: "", key: newKey() }).get("/projects?search=Sesame");
  await vi.waitFor(() => expect(server.logged.join()).toContain('"status":401'), withinFiveSeconds);
  const log = server.logged.join("\n");
  expect(log).toContain(ada.id);
  expect(log).not.toMatch(/pfs_|Sesame|Bearer/);
});

test.concurrent("C-KEY-2: a revoked key, and every key of a disabled account, stops working within 5 s in every process", async () => {
  const stays = await server.account();
  const revoked = await server.account();
  const disabled = await server.account();
  const more = await server.anotherKey(disabled);
  const on = (each: TestServer, { id, key }: Caller) => new Caller(each.origin, { id, key });
  const callers = [revoked, disabled, more].flatMap((caller) => [on(server, caller), on(other, caller)]);
  const statuses = async () => [
    ...new Set((await Promise.all(callers.map((one) => one.get("/projects")))).map(({ status }) => status)),
  ];
  expect(await statuses()).toEqual([200]);

  const [key] = await server.keys.list(revoked.id);
  await server.keys.revoke(key?.id ?? "", new Date());
  await server.accounts.change(disabled.id, { disabled: true });
  await vi.waitFor(async () => expect(await statuses()).toEqual([401]), withinFiveSeconds);
  expect((await on(server, stays).get("/projects")).status).toBe(200);

  await server.accounts.change(disabled.id, { disabled: false });
  const enabled = async () => Promise.all(callers.slice(2).map(async (one) => (await one.get("/projects")).status));
  await vi.waitFor(async () => expect(await enabled()).toEqual([200, 200, 200, 200]), withinFiveSeconds);
});

test.concurrent("C-KEY-2: the keys of an account are equal: a record created with one can be read and changed with another", async () => {
  const ada = await server.account();
  const again = await server.anotherKey(ada);
  const { body } = await ada.post("/projects", {
    title: "Mine",
    description: "Ours.",
    category: "web",
    status: "draft",
  });
  expect((await again.get(`/projects/${body.id}`)).status).toBe(200);
  expect((await again.patch(`/projects/${body.id}`, { title: "Ours" })).body.title).toBe("Ours");
});
