import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAccount } from "../../src/cli/create-account.ts";
import { invite } from "../../src/cli/invite.ts";
import { newSecret } from "../../src/domain/secret.ts";
import { Browser, signedIn, tokenOf } from "../harness/browser.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The time of the server. */
let time = new Date();
let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startServer();
  other = await startServer({ databaseName: server.databaseName, now: () => time });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

beforeEach(() => {
  time = new Date();
});

const anAccount = () => createAccount(server.database, { name: "Ada", role: "developer", plan: "pro" });
const sessionName = "project_feedback_session";

test("C-ACC-2: a link signs in once, on any process, and two browsers that race for it do not both get in", async () => {
  const { id } = await anAccount();
  const { link, expiresAt } = await invite(server.database, id, server.origin);
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/settings#link=pfl_[\w-]{43}$/);
  expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(hourMs - 10_000);
  const token = tokenOf(link);
  const browsers = [server, other, server, other].map(({ origin }) => new Browser(origin));
  const results = await Promise.all(browsers.map((browser) => browser.post("/sign-in/link", { token })));
  expect(results.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  for (const { body } of results.filter(({ status }) => status === 403)) expect(body.code).toBe("link_invalid");
  const won = browsers[results.findIndex(({ status }) => status === 200)] as Browser;
  expect((await won.get("/account")).body).toMatchObject({ id, name: "Ada", role: "developer", plan: "pro" });
});

test("C-ACC-2: a link that is late, guessed, or not a link at all does not sign in", async () => {
  const { id } = await anAccount();
  const browser = new Browser(other.origin);
  const { link } = await invite(server.database, id, server.origin);
  time = new Date(Date.now() + hourMs + 1_000);
  const late = await browser.post("/sign-in/link", { token: tokenOf(link) });
  time = new Date();
  const guessed = await browser.post("/sign-in/link", { token: newSecret("pfl_") });
  // Neither may be told from a link that never was.
  expect(late.body).toEqual(guessed.body);
  expect([late.status, late.body.code]).toEqual([403, "link_invalid"]);
  for (const token of ["", "pfl_short", tokenOf(link).slice(1), `${tokenOf(link)}=`, { $ne: "" }]) {
    expect((await browser.post("/sign-in/link", { token })).status).toBe(400);
  }
  expect(browser.cookies.size).toBe(0);
  // A digest from the database is no link.
  await invite(server.database, id, server.origin);
  const [stored] = await server.database.oneTimeTokens.find({ kind: "link" }).toArray();
  expect((await browser.post("/sign-in/link", { token: `pfl_${stored?._id}` })).body.code).toBe("link_invalid");
});

test("C-ACC-2: the link of a disabled account does not sign in, and its sessions end", async () => {
  const { browser, accountId } = await signedIn(server);
  await server.accounts.change(accountId, { disabled: true });
  expect((await browser.get("/account")).status).toBe(401);
  const { status, body } = await browser.signIn(server.database, accountId);
  expect([status, body.code]).toEqual([403, "account_disabled"]);
});

test("C-ACC-2: the session cookie is HttpOnly and SameSite, and only its digest is stored", async () => {
  const { id } = await anAccount();
  const browser = new Browser(server.origin);
  const { headers } = await browser.signIn(server.database, id);
  const cookie = headers.getSetCookie()[0] ?? "";
  expect(cookie).toMatch(
    new RegExp(`^${sessionName}=pfc_[\\w-]{43}; path=/; expires=[^;]+; samesite=strict; httponly$`),
  );
  const secret = browser.cookies.get(sessionName) ?? "";
  const stored = await Promise.all((await server.database.db.collections()).map((each) => each.find().toArray()));
  expect(JSON.stringify(stored)).not.toContain(secret);
  expect(await server.database.sessions.indexes()).toContainEqual(
    expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }),
  );
});

test("C-ACC-2: where browsers come by TLS, the cookie is Secure and has the prefix __Host-", async () => {
  const config = { allowances: { free: 100, pro: 100, team: 100 }, addressAllowance: 1_000, trustedProxies: 0 };
  const publicUrl = "https://feedback.example.com";
  const behindTls = await startServer({ config: { ...config, publicUrl } });
  try {
    const { id } = await createAccount(behindTls.database, { name: "Ada", role: "developer", plan: "pro" });
    const browser = new Browser(behindTls.origin, { Origin: publicUrl });
    const { link } = await invite(behindTls.database, id, publicUrl);
    expect(link.startsWith(`${publicUrl}/settings#`)).toBe(true);
    const { headers } = await browser.post("/sign-in/link", { token: tokenOf(link) });
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-project_feedback_session=pfc_[\w-]{43}; path=\/; expires=[^;]+; samesite=strict; secure; httponly$/,
    );
    expect((await browser.get("/account")).status).toBe(200);
    // A cookie without the prefix, which another host could have set, is none.
    const plain = new Browser(behindTls.origin, { Origin: publicUrl });
    plain.cookies.set(sessionName, browser.cookies.get(`__Host-${sessionName}`) ?? "");
    expect((await plain.get("/account")).status).toBe(401);
  } finally {
    await behindTls.stop();
  }
});

test("C-ACC-2: a session id that was set before the sign-in is never used, and the session before is ended", async () => {
  const { id } = await anAccount();
  const planted = newSecret("pfc_");
  const victim = new Browser(server.origin);
  victim.cookies.set(sessionName, planted);
  expect((await victim.get("/account")).status).toBe(401);
  await victim.signIn(server.database, id);
  const first = victim.cookies.get(sessionName) ?? "";
  expect(first).not.toBe(planted);
  const attacker = new Browser(server.origin);
  attacker.cookies.set(sessionName, planted);
  expect((await attacker.get("/account")).status).toBe(401);

  await victim.signIn(server.database, id);
  expect(victim.cookies.get(sessionName)).not.toBe(first);
  attacker.cookies.set(sessionName, first);
  expect((await attacker.get("/account")).status).toBe(401);
  expect((await victim.get("/sessions")).body.data).toHaveLength(1);
});

test("C-ACC-2: a session ends after 12 hours without use, and after 7 days in any case", async () => {
  time = new Date();
  const begin = time.getTime();
  const { browser } = await signedIn(other);
  const statusAt = async (ms: number) => {
    time = new Date(begin + ms);
    return (await browser.get("/account")).status;
  };
  expect(await statusAt(11.9 * hourMs)).toBe(200);
  expect(await statusAt(23.7 * hourMs)).toBe(200);
  expect(await statusAt(35.8 * hourMs)).toBe(401);
  time = new Date();
  const again = await signedIn(other);
  const second = time.getTime();
  for (let used = 0; used < 7 * dayMs; used += 11 * hourMs) {
    time = new Date(second + used);
    expect((await again.browser.get("/account")).status).toBe(200);
  }
  time = new Date(second + 7 * dayMs + 1);
  expect((await again.browser.get("/account")).status).toBe(401);
});

test("C-ACC-2: sessions are listed, and one browser ends the other's on any process", async () => {
  const { browser: laptop, accountId } = await signedIn(server);
  const phone = new Browser(other.origin, { "User-Agent": `Phone ${"x".repeat(500)}` });
  await phone.signIn(server.database, accountId);
  const { data } = (await laptop.get("/sessions")).body;
  expect(data).toHaveLength(2);
  const [mine] = data.filter(({ current }: { current: boolean }) => current);
  const [theirs] = data.filter(({ current }: { current: boolean }) => !current);
  expect(mine).toMatchObject({ method: "link", network: expect.stringMatching(/\/(24|64)$/), userAgent: "Test/1.0" });
  expect(theirs.userAgent).toHaveLength(300);
  expect((await phone.get("/account")).status).toBe(200);
  expect((await laptop.delete(`/sessions/${theirs.id}`)).status).toBe(200);
  expect((await phone.get("/account")).status).toBe(401);
  expect((await laptop.get("/account")).status).toBe(200);
  expect((await laptop.delete(`/sessions/${theirs.id}`)).body.code).toBe("session_not_found");
  // Another account's sessions are unknown.
  const { browser: stranger } = await signedIn(server);
  expect((await stranger.delete(`/sessions/${mine.id}`)).status).toBe(404);

  expect((await laptop.post("/sign-out")).status).toBe(200);
  expect(laptop.cookies.size).toBe(0);
  expect((await laptop.get("/account")).status).toBe(401);
});

test("C-ACC-2: a sign-out ends the session itself, not only its cookie", async () => {
  const { browser } = await signedIn(server);
  const secret = browser.cookies.get(sessionName) ?? "";
  await browser.post("/sign-out");
  browser.cookies.set(sessionName, secret);
  expect((await browser.get("/account")).status).toBe(401);
});

test("C-ACC-2: of 1,000 sign-in attempts from one address, 100 are heard, whatever they try", async () => {
  const config = { allowances: { free: 100, pro: 100, team: 100 }, addressAllowance: 100_000, trustedProxies: 0 };
  const strict = await startServer({ config });
  try {
    const browser = new Browser(strict.origin);
    const tried = await Promise.all(
      Array.from({ length: 1_000 }, () => browser.post("/sign-in/link", { token: newSecret("pfl_") })),
    );
    expect(tried.filter(({ status }) => status === 403)).toHaveLength(100);
    const refused = tried.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(900);
    expect(Number(refused[0]?.headers.get("Retry-After"))).toBeGreaterThan(3_000);
    const { id } = await createAccount(strict.database, { name: "Ada", role: "developer", plan: "pro" });
    expect((await browser.signIn(strict.database, id)).status).toBe(429);
    expect((await browser.post("/sign-in/passkey/options")).status).toBe(429);
    // Programs at the same address are served, and so is who looks at the page.
    expect((await strict.stranger().get("/projects")).status).toBe(401);
    expect((await browser.get("/sign-in")).status).toBe(200);
  } finally {
    await strict.stop();
  }
});
