import { afterAll, beforeAll, expect, test } from "vitest";
import { Authenticator, type Misbehaviour } from "../harness/authenticator.ts";
import { Browser, signedIn } from "../harness/browser.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const allowances = { free: 100_000, pro: 100_000, team: 100_000 };
const publicUrl = "https://feedback.example.com";
// Two processes stand behind one address, as behind a balancer that ends TLS.
const config = { allowances, addressAllowance: 100_000, trustedProxies: 1, signInAllowance: 100_000, publicUrl };
const headers = { Origin: publicUrl, "X-Forwarded-Host": new URL(publicUrl).host, "X-Forwarded-Proto": "https" };

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startServer({ config });
  other = await startServer({ config, databaseName: server.databaseName });
});
afterAll(async () => {
  await other?.stop();
  await server?.stop();
});

const browserAt = ({ origin }: TestServer) => new Browser(origin, headers);

/** Adds a passkey; each step is taken by another process. */
async function add(
  browser: Browser,
  elsewhere: Browser,
  authenticator = new Authenticator(publicUrl),
  wrong?: Misbehaviour,
) {
  const { body: options } = await browser.post("/passkeys/options");
  const credential = authenticator.register(options, wrong);
  const { status, body } = await elsewhere.post("/passkeys", { name: "phone", credential });
  return { authenticator, status, body, options };
}

/** Signs in with a passkey. */
async function signIn(authenticator: Authenticator, wrong?: Misbehaviour, browser = browserAt(server)) {
  const { body: options } = await browserAt(other).post("/sign-in/passkey/options");
  const credential = authenticator.assert(options, wrong);
  return { browser, credential, ...(await browser.post("/sign-in/passkey", { credential })) };
}

/** The browsers of an account, one at each process. */
async function anAccount() {
  const { browser, accountId } = await signedIn(server, {}, browserAt(server));
  const elsewhere = browserAt(other);
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  return { browser, elsewhere, accountId };
}

test("C-ACC-2: a passkey is added after a sign-in, and then signs in alone, without a name, on any process", async () => {
  const { browser, elsewhere, accountId } = await anAccount();
  const { authenticator, status, body, options } = await add(browser, elsewhere);
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: "phone", backedUp: true, lastUsedAt: null });
  expect(options).toMatchObject({
    rp: { id: "feedback.example.com" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const signed = await signIn(authenticator);
  expect([signed.status, signed.body.id]).toEqual([200, accountId]);
  expect((await signed.browser.get("/sessions")).body.data[0]).toMatchObject({ method: "passkey", current: true });
  const { data } = (await signed.browser.get("/passkeys")).body;
  expect(data).toEqual([{ ...body, lastUsedAt: expect.any(String) }]);
  expect((await signIn(authenticator)).status).toBe(200);

  // The browser is told not to add it again.
  const again = (await browser.post("/passkeys/options")).body;
  expect(again.excludeCredentials).toMatchObject([{ id: authenticator.id.toString("base64url") }]);
  expect((await add(browser, elsewhere, authenticator)).body.code).toBe("passkey_limit");
});

test("C-ACC-2: a removed passkey does not sign in, and another account cannot remove it", async () => {
  const { browser, elsewhere } = await anAccount();
  const { authenticator, body } = await add(browser, elsewhere);
  const stranger = await anAccount();
  expect((await stranger.browser.delete(`/passkeys/${body.id}`)).body.code).toBe("passkey_not_found");
  expect((await browser.delete(`/passkeys/${body.id}`)).status).toBe(200);
  expect((await signIn(authenticator)).body.code).toBe("passkey_invalid");
  expect((await browser.get("/passkeys")).body.data).toEqual([]);
});

test.each<[string, Misbehaviour]>([
  ["another origin", { origin: "https://evil.example" }],
  ["another challenge", { challenge: "q0p0dQw3m1nVb7yK2aZr5eW8uN4dG6fJxLpRqBvCtHw" }],
  ["another relying party", { rpId: "evil.example" }],
  ["a person who was not recognized", { verified: false }],
])("C-ACC-2: a passkey for %s is neither added nor signs in", async (_, wrong) => {
  const { browser, elsewhere } = await anAccount();
  const refused = await add(browser, elsewhere, new Authenticator(publicUrl), wrong);
  expect([refused.status, refused.body.code]).toEqual([403, "passkey_invalid"]);
  const { authenticator } = await add(browser, elsewhere);
  const { status, body, browser: visitor } = await signIn(authenticator, wrong);
  expect([status, body.code]).toEqual([403, "passkey_invalid"]);
  expect(visitor.cookies.size).toBe(0);
});

test("C-ACC-2: an answer works once, also when it is sent to two processes at the same time", async () => {
  const { browser, elsewhere } = await anAccount();
  const { authenticator } = await add(browser, elsewhere);
  const { body: options } = await browserAt(server).post("/sign-in/passkey/options");
  const credential = authenticator.assert(options);
  const tried = await Promise.all(
    [server, other, server].map((at) => browserAt(at).post("/sign-in/passkey", { credential })),
  );
  expect(tried.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
});

test("C-ACC-2: a copy of an authenticator, whose count goes back, does not sign in", async () => {
  const { browser, elsewhere } = await anAccount();
  const { authenticator } = await add(browser, elsewhere);
  expect((await signIn(authenticator, { counter: 9 })).status).toBe(200);
  expect((await signIn(authenticator, { counter: 9 })).body.code).toBe("passkey_invalid");
  expect((await signIn(authenticator, { counter: 10 })).status).toBe(200);
});

test("C-ACC-2: a challenge of one account adds no passkey to another, and none of a sign-in adds one", async () => {
  const [ada, bob] = [await anAccount(), await anAccount()];
  const { body: options } = await ada.browser.post("/passkeys/options");
  const credential = new Authenticator(publicUrl).register(options);
  expect((await bob.browser.post("/passkeys", { name: "evil", credential })).body.code).toBe("passkey_invalid");
  const { body: request } = await browserAt(server).post("/sign-in/passkey/options");
  const mixed = new Authenticator(publicUrl).register({ ...options, challenge: request.challenge });
  expect((await ada.browser.post("/passkeys", { name: "mixed", credential: mixed })).body.code).toBe("passkey_invalid");
});

test("C-ACC-2: an answer after 5 minutes is too late, and the passkey of a disabled account does not sign in", async () => {
  const { browser, elsewhere, accountId } = await anAccount();
  const { authenticator } = await add(browser, elsewhere);
  const { body: options } = await browserAt(server).post("/sign-in/passkey/options");
  const [token] = await server.database.oneTimeTokens.find({ kind: "assertion" }).sort({ expiresAt: -1 }).toArray();
  expect((token?.expiresAt.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(300_000);
  await server.database.oneTimeTokens.updateMany({ kind: "assertion" }, { $set: { expiresAt: new Date() } });
  const credential = authenticator.assert(options);
  expect((await browserAt(server).post("/sign-in/passkey", { credential })).body.code).toBe("passkey_invalid");
  await server.accounts.change(accountId, { disabled: true });
  expect((await signIn(authenticator)).body.code).toBe("account_disabled");
});

test("C-ACC-2: an account has at most 20 passkeys", async () => {
  const { browser, elsewhere, accountId } = await anAccount();
  await add(browser, elsewhere);
  const [stored] = await server.database.passkeys.find({ accountId }).toArray();
  if (!stored) throw new Error("no passkey was stored");
  const copies = Array.from({ length: 19 }, (_, number) => ({
    ...stored,
    _id: `${stored._id}${number}`,
    credentialId: `${stored.credentialId}${number}`,
  }));
  await server.database.passkeys.insertMany(copies);
  expect((await browser.post("/passkeys/options")).body.code).toBe("passkey_limit");
});

test("C-ACC-2: a browser at an IP address is told where passkeys work", async () => {
  const visitor = new Browser(server.origin, { ...headers, "X-Forwarded-Host": "192.0.2.1" });
  expect((await visitor.get("/sign-in")).body).toMatchObject({ passkey: false, settingsUrl: `${publicUrl}/settings` });
  const { status, body } = await visitor.post("/sign-in/passkey/options");
  expect([status, body.code]).toEqual([403, "other_origin"]);
  expect(body.message).toContain(`${publicUrl}/settings`);
  expect((await browserAt(server).get("/sign-in")).body.passkey).toBe(true);
});

test("C-ACC-2: without PUBLIC_URL the relying party is localhost, with the port of the server", async () => {
  const local = await startServer();
  try {
    const { browser } = await signedIn(local);
    const authenticator = new Authenticator(browser.origin);
    const { status, options } = await add(browser, browser, authenticator);
    expect([status, options.rp.id]).toEqual([201, "localhost"]);
    const { body: request } = await browser.post("/sign-in/passkey/options");
    const visitor = new Browser(local.origin);
    const credential = authenticator.assert(request);
    expect((await visitor.post("/sign-in/passkey", { credential })).status).toBe(200);
    expect((await browser.get("/sign-in")).body.settingsUrl).toBe(`${browser.origin}/settings`);
  } finally {
    await local.stop();
  }
});
