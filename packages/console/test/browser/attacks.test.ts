import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createKey, signIn, useBrowser } from "../harness/browser.ts";
import { invite, newAccount } from "../harness/command.ts";

const browser = useBrowser();
const origin = inject("origin");

/** A site of somebody else: another port is another origin, but the same site, so that cookies are sent. */
const other = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Another site</title>");
});
let otherOrigin: string;
beforeAll(async () => {
  other.listen(0, "localhost");
  await once(other, "listening");
  otherOrigin = `http://localhost:${(other.address() as AddressInfo).port}`;
});
afterAll(() => {
  other.closeAllConnections();
  other.close();
});

test("C-ACC-3: a page of another origin creates no key, by fetch or by a form, and reads nothing", async () => {
  const tab = await signIn(browser);
  const { page } = tab;
  await page.goto(otherOrigin);
  const outcomes = await page.evaluate(async (target) => {
    const send = (type: string, mode: RequestMode) =>
      fetch(`${target}/account/v1/keys`, {
        method: "POST",
        mode,
        credentials: "include",
        headers: { "Content-Type": type },
        body: '{"name":"stolen"}',
      }).then(
        ({ type, status }) => `${type} ${status}`,
        () => "refused",
      );
    const read = await fetch(`${target}/account/v1/keys`, { credentials: "include" }).then(
      (response) => response.text(),
      () => "refused",
    );
    return [await send("application/json", "cors"), await send("text/plain", "no-cors"), read];
  }, origin);
  expect(outcomes).toEqual(["refused", "refused", "refused"]);
  await page.evaluate((target) => {
    const form = document.createElement("form");
    form.method = "post";
    form.enctype = "text/plain";
    form.action = `${target}/account/v1/keys`;
    form.innerHTML = `<input name='{"name":"stolen","x":"' value='"}'>`;
    document.body.append(form);
    form.submit();
  }, origin);
  await page.waitForURL(`${origin}/account/v1/keys`);
  await page.goto(`${origin}/settings`);
  await page.getByText("There is no key yet").waitFor();
});

test("C-ACC-3: no page can be framed", async () => {
  const { page } = await browser.open("/");
  await page.goto(otherOrigin);
  for (const path of ["/", "/settings", "/docs", "/docs/clauses", "/account/v1/sign-in"]) {
    const text = await page.evaluate(async (target) => {
      const frame = document.createElement("iframe");
      frame.src = target;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener("load", resolve));
      return target;
    }, origin + path);
    const frame = page.frames().find((each) => each.url().startsWith("chrome-error:"));
    expect(frame, text).toBeDefined();
    await page.reload();
  }
});

test("C-ACC-3: markup in names is shown as text", async () => {
  const markup = "<img src=x onerror=\"document.title='owned'\"><b>bold</b>";
  const tab = await signIn(browser, await newAccount({ role: "developer", name: markup }));
  const { page } = tab;
  await page.getByText(`Signed in as ${markup}`).waitFor();
  await createKey(tab, markup);
  await page.getByRole("list", { name: "Live keys" }).getByText(markup).waitFor();
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog", { name: `Revoke ${markup}` }).waitFor();
  expect(await page.locator("#settings img, #settings b").count()).toBe(0);
  expect(await page.title()).toBe("API settings · Project Feedback");
});

test("C-ACC-3: no key, link or session id is in the address, the history, a Referer, the storage or the log", async () => {
  const link = await invite(await newAccount({ role: "developer" }));
  const token = new URL(link).hash.slice("#link=".length);
  const tab = await browser.open(link);
  const { page, context } = tab;
  await page.getByText("Signed in as").waitFor();
  expect(page.url()).toBe(`${origin}/settings`);
  const key = await createKey(tab, "secret");
  const session = (await context.cookies())[0]?.value ?? "";
  expect([token.length, key.length, session.length].every((length) => length > 20)).toBe(true);
  await fetch(`${origin}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
  await page.goto(`${origin}/docs`);
  await page.goBack();
  await page.getByText("Signed in as").waitFor();

  const browserSession = await context.newCDPSession(page);
  const { entries } = await browserSession.send("Page.getNavigationHistory");
  const places = {
    history: entries.map(({ url }) => url).join(" "),
    requests: JSON.stringify(tab.requests),
    storage: await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    log: readFileSync(inject("logFile"), "utf8"),
  };
  expect(places.log).toContain('"msg":"request"');
  for (const [place, text] of Object.entries(places)) {
    for (const secret of [token, key, session]) expect(text.includes(secret), place).toBe(false);
  }
  expect(tab.requests.filter(({ referer }) => referer)).toEqual([]);
});

test("C-ACC-3: the demo links of the first start sign in, and are in no line of the log", async () => {
  const file = readFileSync(`${inject("dataDir")}/demo-keys.env`, "utf8");
  const link = /^DEVELOPER_LINK='?(\S+?)'?$/m.exec(file)?.[1] ?? "";
  expect(readFileSync(inject("logFile"), "utf8")).not.toContain(new URL(link).hash.slice("#link=".length));
  const { page } = await browser.open(link);
  await page.getByText("Signed in as Demo developer").waitFor();
});
