import { expect, inject, test } from "vitest";
import { signIn, useBrowser } from "../harness/browser.ts";
import { newAccount } from "../harness/command.ts";

const browser = useBrowser();

test("C-ACC-2: one browser ends the session of another, which is then asked to sign in", async () => {
  const id = await newAccount({ role: "developer" });
  const first = await signIn(browser, id, { userAgent: "First/1" });
  const second = await signIn(browser, id, { userAgent: "Second/1" });
  const { page } = first;
  await page.reload();
  const other = page.getByRole("listitem").filter({ hasText: "Second/1" });
  await other.getByRole("button", { name: "End that session" }).click();
  await page.getByText("The session has ended.").waitFor();
  expect(await page.getByRole("list", { name: "Sessions" }).getByRole("listitem").count()).toBe(1);

  await second.page.getByRole("button", { name: "Create a key" }).click();
  await second.page.getByRole("textbox", { name: "Name" }).fill("too late");
  await second.page.getByRole("button", { name: "Create", exact: true }).click();
  await second.page.getByText("Your session has ended. Sign in again.").waitFor();
  await page.reload();
  await page.getByText("Signed in as").waitFor();
});

test("C-ACC-2: who signs out is signed out, also in a page that the browser kept", async () => {
  const { page } = await signIn(browser);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are signed out.").waitFor();
  await page.goto(inject("origin"));
  await page.goBack();
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
});

test("C-ACC-2: scripts cannot read the cookie of a session, and other sites do not send it", async () => {
  const { page, context } = await signIn(browser);
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
});
