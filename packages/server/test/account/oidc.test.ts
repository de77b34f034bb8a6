import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../../src/cli/create-account.ts";
import { IdentityRepository } from "../../src/store/identity-repository.ts";
import { Browser } from "../harness/browser.ts";
import { type OidcProvider, startOidcProvider } from "../harness/oidc-provider.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const allowances = { free: 100_000, pro: 100_000, team: 100_000 };
const config = { allowances, addressAllowance: 100_000, trustedProxies: 1, signInAllowance: 100_000 };
// All processes stand behind one address, as behind a balancer.
const publicUrl = "http://feedback.localhost:8080";

let provider: OidcProvider;
let server: TestServer;
let other: TestServer;
let closed: TestServer;
beforeAll(async () => {
  provider = await startOidcProvider(publicUrl);
  server = await startServer({ config: { ...config, publicUrl, oidc: provider.settings } });
  const { databaseName } = server;
  other = await startServer({ databaseName, config: { ...config, publicUrl, oidc: provider.settings } });
  closed = await startServer({
    databaseName,
    config: { ...config, publicUrl, oidc: { ...provider.settings, signUp: false } },
  });
});
afterAll(async () => {
  await closed?.stop();
  await other?.stop();
  await server?.stop();
  await provider?.stop();
});

const browserAt = ({ origin }: TestServer) =>
  new Browser(origin, { Origin: publicUrl, "X-Forwarded-Host": new URL(publicUrl).host });

/** Goes to the provider and back; the way back may lead to another process. */
async function signIn(browser: Browser, name: string, change: (url: URL) => void = () => undefined) {
  const { status, body } = await browser.post("/sign-in/oidc");
  expect(status).toBe(200);
  const url = new URL(body.url);
  change(url);
  const returned = await provider.visit(url.href, name);
  return { returned, reply: await browser.get(returned.replace("/account/v1", "")) };
}
const locationOf = ({ headers }: { headers: Headers }) => headers.get("Location");
const failed = "/settings#sign-in-error=oidc_failed";

test("C-ACC-2: an unknown person gets an account on Free, chooses a role once, and comes back to the same account", async () => {
  const browser = browserAt(server);
  const { reply, returned } = await signIn(browser, "alice");
  expect([reply.status, locationOf(reply), reply.text]).toEqual([303, "/settings", ""]);
  expect(returned).toContain("code=");
  const { body: account } = await browser.get("/account");
  expect(account).toMatchObject({ name: "Name of alice", role: null, plan: "free" });
  expect((await browser.get("/sessions")).body.data).toMatchObject([{ method: "oidc", current: true }]);
  expect((await browser.post("/account/role", { role: "tester" })).status).toBe(200);
  expect((await browser.post("/keys", { name: "first" })).status).toBe(201);

  const again = browserAt(other);
  await signIn(again, "alice");
  expect((await again.get("/account")).body).toMatchObject({ id: account.id, role: "tester" });
  const bob = browserAt(other);
  await signIn(bob, "bob");
  expect((await bob.get("/account")).body.id).not.toBe(account.id);
});

test("C-ACC-2: a person is known by issuer and subject: the same subject of another issuer is somebody else", async () => {
  const { id } = await createAccount(server.database, { name: "Carol", role: "tester", plan: "pro" });
  const elsewhere = { issuer: "https://login.example.com", subject: "carol" };
  const account = {
    id: `${id}2`,
    name: "Carol",
    role: null,
    plan: "free",
    disabled: false,
    createdAt: new Date(),
  } as const;
  await new IdentityRepository(server.database).createAccount(elsewhere, account);
  const browser = browserAt(server);
  await signIn(browser, "carol");
  const { body } = await browser.get("/account");
  expect([id, account.id]).not.toContain(body.id);
  const [identity] = await server.database.identities
    .find({ issuer: provider.settings.issuer, subject: "carol" })
    .toArray();
  expect(identity?.accountId).toBe(body.id);
});

test("C-ACC-2: two first sign-ins of one person at the same time make one account", async () => {
  const browsers = [browserAt(server), browserAt(other), browserAt(server)];
  await Promise.all(browsers.map((browser) => signIn(browser, "dora")));
  const accounts = await Promise.all(browsers.map(async (browser) => (await browser.get("/account")).body.id));
  expect(new Set(accounts).size).toBe(1);
  expect(await server.database.accounts.countDocuments({ name: "Name of dora" })).toBe(1);
});

test("C-ACC-2: a sign-in that one process begins is finished by another", async () => {
  const browser = browserAt(server);
  const { body } = await browser.post("/sign-in/oidc");
  const returned = await provider.visit(body.url, "erin");
  const elsewhere = browserAt(other);
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  expect(locationOf(await elsewhere.get(returned.replace("/account/v1", "")))).toBe("/settings");
});

test("C-ACC-2: a wrong nonce is refused", async () => {
  const browser = browserAt(server);
  const { reply } = await signIn(browser, "frank", (url) => url.searchParams.set("nonce", "another-nonce"));
  expect([reply.status, locationOf(reply)]).toEqual([303, failed]);
  expect((await browser.get("/account")).status).toBe(401);
  expect(await server.database.identities.countDocuments({ subject: "frank" })).toBe(0);
});

test("C-ACC-2: a wrong state is refused", async () => {
  const { reply } = await signIn(browserAt(server), "frank", (url) => url.searchParams.set("state", "another-state"));
  expect(locationOf(reply)).toBe(failed);
});

test("C-ACC-2: a stolen code is of no use: not in another browser, and not within another sign-in", async () => {
  const victim = browserAt(server);
  const { body } = await victim.post("/sign-in/oidc");
  const returned = (await provider.visit(body.url, "grace")).replace("/account/v1", "");
  // Without the cookie of the browser that began the sign-in.
  const thief = browserAt(server);
  expect(locationOf(await thief.get(returned))).toBe(failed);
  // With a sign-in of its own, whose state the thief puts beside the code.
  const own = new URL((await thief.post("/sign-in/oidc")).body.url);
  const forged = new URL(returned, publicUrl);
  forged.searchParams.set("state", own.searchParams.get("state") ?? "");
  expect(locationOf(await thief.get(forged.pathname + forged.search))).toBe(failed);
  expect((await thief.get("/account")).status).toBe(401);
});

test("C-ACC-2: nobody can be signed in to a stranger's account by an address that they are sent", async () => {
  const attacker = browserAt(server);
  const { body } = await attacker.post("/sign-in/oidc");
  const returned = (await provider.visit(body.url, "mallory")).replace("/account/v1", "");
  const victim = browserAt(server);
  expect(locationOf(await victim.get(returned))).toBe(failed);
  expect(victim.cookies.size).toBe(0);
});

test("C-ACC-2: a state works once, and for 10 minutes", async () => {
  const browser = browserAt(server);
  const { body } = await browser.post("/sign-in/oidc");
  const kept = new Map(browser.cookies);
  const returned = (await provider.visit(body.url, "heidi")).replace("/account/v1", "");
  expect(locationOf(await browser.get(returned))).toBe("/settings");
  const replay = browserAt(other);
  for (const [name, value] of kept) replay.cookies.set(name, value);
  expect(locationOf(await replay.get(returned))).toBe(failed);
  const late = browserAt(server);
  const begun = await late.post("/sign-in/oidc");
  await server.database.oneTimeTokens.updateMany({ kind: "oidc" }, { $set: { expiresAt: new Date() } });
  const back = (await provider.visit(begun.body.url, "heidi")).replace("/account/v1", "");
  expect(locationOf(await late.get(back))).toBe(failed);
});

test("C-ACC-2: a person who refuses at the provider is sent back with an error, and other parameters are ignored", async () => {
  const browser = browserAt(server);
  const { body } = await browser.post("/sign-in/oidc");
  const state = new URL(body.url).searchParams.get("state");
  const refused = await browser.get(
    `/sign-in/oidc/callback?error=access_denied&state=${state}&session_state=x&authuser=0`,
  );
  expect([refused.status, locationOf(refused)]).toEqual([303, failed]);
});

test("C-ACC-2: with OIDC_SIGN_UP=0 only people with an account can sign in", async () => {
  const { reply } = await signIn(browserAt(closed), "ivan");
  expect(locationOf(reply)).toBe("/settings#sign-in-error=sign_up_disabled");
  await signIn(browserAt(server), "ivan");
  expect(locationOf((await signIn(browserAt(closed), "ivan")).reply)).toBe("/settings");
  expect((await browserAt(closed).get("/sign-in")).body.oidc).toEqual({
    issuer: provider.settings.issuer,
    signUp: false,
  });
});

test("C-ACC-2: a disabled account does not get in", async () => {
  const browser = browserAt(server);
  await signIn(browser, "judy");
  const { id } = (await browser.get("/account")).body;
  await server.accounts.change(id, { disabled: true });
  const { reply } = await signIn(browser, "judy");
  expect(locationOf(reply)).toBe("/settings#sign-in-error=account_disabled");
});

test("C-ACC-3: neither codes nor states nor secrets of OpenID Connect are in the log, which says why a sign-in failed", async () => {
  const { returned, reply } = await signIn(browserAt(server), "kim", (url) => url.searchParams.set("nonce", "wrong"));
  expect(locationOf(reply)).toBe(failed);
  const query = new URL(returned, publicUrl).searchParams;
  const log = server.logged.join("\n");
  expect(log).toContain("OAUTH_JWT_CLAIM_COMPARISON_FAILED");
  for (const name of ["code", "state"]) expect(log).not.toContain(query.get(name));
  expect(log).not.toContain(provider.settings.clientSecret);
});

test("C-ACC-2: a provider that is away is a 503 that says so, and the server comes back with it", async () => {
  const away = await startServer({
    config: { ...config, publicUrl, oidc: { ...provider.settings, issuer: "http://localhost:1" } },
  });
  try {
    const { status, body, headers } = await browserAt(away).post("/sign-in/oidc");
    expect([status, body.code, headers.get("Retry-After")]).toEqual([503, "oidc_unavailable", "10"]);
    expect((await browserAt(away).get("/sign-in")).status).toBe(200);
  } finally {
    await away.stop();
  }
});
