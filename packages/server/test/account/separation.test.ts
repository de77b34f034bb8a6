import { readFileSync } from "node:fs";
import { accountJsonUrl, openapiJsonUrl } from "@project-feedback/spec";
import { expect, test, vi } from "vitest";
import type { PublicOperationId } from "../../src/account/operation.ts";
import { invite } from "../../src/cli/invite.ts";
import { loadAccountContract } from "../../src/contract/contract.ts";
import { newSecret } from "../../src/domain/secret.ts";
import { Browser, signedIn, tokenOf } from "../harness/browser.ts";
import { Caller } from "../harness/caller.ts";
import { useServer } from "../harness/server.ts";

const server = await useServer();
const remaining = ({ headers }: { headers: Headers }) => Number(headers.get("X-RateLimit-Remaining"));
const limit = ({ headers }: { headers: Headers }) => Number(headers.get("X-RateLimit-Limit"));

test("C-ACC-1: the account's interface has its own contract, and v1's is served as before", async () => {
  const served = await fetch(`${server.origin}/account/openapi.json`);
  expect(await served.text()).toBe(readFileSync(accountJsonUrl, "utf8"));
  expect(await (await fetch(`${server.origin}/openapi.json`)).text()).toBe(readFileSync(openapiJsonUrl, "utf8"));
});

test("C-ACC-1: the operations without a session are those that the types name", () => {
  const named: Record<PublicOperationId, true> = {
    getSignInChoices: true,
    signInWithLink: true,
    createSignInOptions: true,
    signInWithPasskey: true,
    startOidcSignIn: true,
    finishOidcSignIn: true,
  };
  const described = [...loadAccountContract({}).operations.values()].filter(({ isPublic }) => isPublic);
  expect(described.map(({ id }) => id).sort()).toEqual(Object.keys(named).sort());
});

test("C-ACC-1: every other operation is a 401 without a session, also with a key of the account", async () => {
  const ada = await server.account();
  const browser = new Browser(server.origin);
  for (const { isPublic, method, path } of loadAccountContract({}).operations.values()) {
    if (isPublic) continue;
    const url = path.replace("{id}", "any");
    for (const headers of [{}, { Authorization: `Bearer ${ada.key}` }, { Cookie: newSecret("pfc_") }]) {
      const { status, body } = await browser.send(
        method.toUpperCase(),
        url,
        undefined,
        headers as Record<string, string>,
      );
      expect([status, body.code], `${method} ${path}`).toEqual([401, "not_signed_in"]);
    }
  }
});

test("C-ACC-1: /v1 takes no cookie", async () => {
  const { browser } = await signedIn(server);
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const { status } = await new Caller(server.origin, undefined).get("/projects", { headers: { Cookie: cookie } });
  expect(status).toBe(401);
});

test("C-ACC-1: neither interface spends the other's allowance", async () => {
  const { browser, accountId } = await signedIn(server);
  const caller = await server.anotherKey({ id: accountId });
  const before = remaining(await caller.get("/me"));
  const first = await browser.get("/account");
  expect(limit(first)).toBe(5_000);
  for (let count = 0; count < 5; count += 1) await browser.get("/keys");
  expect(remaining(await caller.get("/me"))).toBe(before - 1);
  expect(remaining(await browser.get("/account"))).toBe(remaining(first) - 6);

  const stranger = new Browser(server.origin);
  const address = remaining(await server.stranger().get("/projects"));
  const unknown = remaining(await stranger.get("/account"));
  expect(remaining(await stranger.get("/account"))).toBe(unknown - 1);
  expect(remaining(await server.stranger().get("/projects"))).toBe(address - 1);
});

test("C-ACC-1: the account shows its window of v1, with the time of its reset", async () => {
  const { browser, accountId } = await signedIn(server);
  expect((await browser.get("/account")).body.window).toEqual({ limit: 100_000, remaining: 100_000, resetsAt: null });
  const caller = await server.anotherKey({ id: accountId });
  const { headers } = await caller.get("/me");
  const reset = new Date(Number(headers.get("X-RateLimit-Reset")) * 1_000).toISOString();
  expect((await browser.get("/account")).body.window).toEqual({ limit: 100_000, remaining: 99_999, resetsAt: reset });
});

test("C-ACC-3: an unsafe request of another origin is a 403, whatever cookie it carries, and changes nothing", async () => {
  const { browser, accountId } = await signedIn(server);
  const port = new URL(browser.origin).port;
  const others: Record<string, string>[] = [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: `http://localhost:${Number(port) + 1}` },
    { Origin: `https://localhost:${port}` },
    { Origin: `http://localhost.evil.example:${port}` },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
  ];
  const { link } = await invite(server.database, accountId, server.origin);
  for (const headers of others) {
    for (const [method, path, body] of [
      ["POST", "/keys", { name: "evil" }],
      ["POST", "/sign-out", undefined],
      ["POST", "/sign-in/link", { token: tokenOf(link) }],
      ["DELETE", "/sessions/any", undefined],
    ] as const) {
      const { status, body: error } = await browser.send(method, path, body, headers);
      expect([status, error.code], JSON.stringify(headers)).toEqual([403, "other_origin"]);
    }
  }
  expect((await browser.get("/keys")).body.data).toEqual([]);
  // What another origin may send without asking is not JSON, and is refused even from the own origin.
  const plain = await browser.send("POST", "/keys", { name: "a" }, { "Content-Type": "text/plain" });
  expect(plain.status).toBe(201);
});

test("C-ACC-3: no other origin may read a response, and preflights are not answered", async () => {
  const { browser } = await signedIn(server);
  const headers = { Origin: "http://localhost:1", "Access-Control-Request-Method": "POST" };
  const preflight = await fetch(`${server.origin}/account/v1/keys`, { method: "OPTIONS", headers });
  expect(preflight.status).toBe(405);
  const read = await browser.send("GET", "/account", undefined, { Origin: "http://localhost:1" });
  for (const each of [preflight.headers, read.headers]) {
    expect(each.get("Access-Control-Allow-Origin")).toBeNull();
    expect(each.get("Access-Control-Allow-Credentials")).toBeNull();
  }
});

test("C-ACC-3: responses cannot be framed, stored or sniffed, and send no Referer", async () => {
  const { browser } = await signedIn(server);
  for (const { headers } of [await browser.get("/account"), await new Browser(server.origin).get("/account")]) {
    expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get("X-Frame-Options")).toBe("DENY");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  }
});

test("C-ACC-3: no key, link, session id or code is in the log, whatever happens", async () => {
  const { browser, accountId } = await signedIn(server);
  const secrets = [...browser.cookies.values()];
  const { body: created } = await browser.post("/keys", { name: "secret name" });
  const { link } = await invite(server.database, accountId, server.origin);
  secrets.push(created.key, tokenOf(link));
  await browser.post("/sign-in/link", { token: tokenOf(link) });
  await browser.post("/sign-in/link", { token: tokenOf(link) });
  await browser.get(`/sign-in/oidc/callback?code=the-code-itself&state=the-state-itself`);
  await browser.get(`/nothing?token=${tokenOf(link)}`);
  await vi.waitFor(() => expect(server.logged.join()).toContain("/account/v1/nothing"));
  const log = server.logged.join("\n");
  expect(log).toContain(accountId);
  for (const secret of secrets) expect(log).not.toContain(secret.slice(4));
  expect(log).not.toMatch(/the-code-itself|the-state-itself|secret name/);
});

test("C-ACC-1: errors of the account's interface have its codes, its headers, and say what to do", async () => {
  const { browser } = await signedIn(server);
  const caused = [
    [404, "path_not_found", browser.get("/nothing")],
    [405, "method_not_allowed", browser.send("PUT", "/keys")],
    [400, "invalid_request", browser.post("/keys", { name: "a", more: 1 })],
    [400, "invalid_request", browser.get("/usage?hours=745")],
    [413, "content_too_large", browser.post("/keys", { name: "a".repeat(1_100_000) })],
    [404, "oidc_not_configured", browser.post("/sign-in/oidc")],
  ] as const;
  for (const [status, code, response] of caused) {
    const { status: got, body, headers } = await response;
    expect([got, body.code]).toEqual([status, code]);
    expect(body.message).toMatch(/\.( |$)/);
    expect(headers.get("X-RateLimit-Limit")).toMatch(/^\d+$/);
  }
});
