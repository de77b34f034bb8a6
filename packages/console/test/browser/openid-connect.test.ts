import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { useBrowser } from "../harness/browser.ts";

const browser = useBrowser();

/** Signs in with the provider, as the subject that is named like the login. */
async function signInAs(page: Page, login: string): Promise<void> {
  await page.getByRole("button", { name: /^Sign in with localhost:/ }).click();
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${inject("origin")}/settings`);
}

test("C-ACC-2: a new subject gets an account, chooses its role once, and has the same account the next time", async () => {
  const { page } = await browser.open();
  await signInAs(page, "subject-one");
  await page.getByRole("radio", { name: /^Developer/ }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("developer, free plan").waitFor();
  const account = await page.locator(".account-head code").textContent();

  const again = await browser.open();
  await signInAs(again.page, "subject-one");
  await again.page.getByText("developer, free plan").waitFor();
  expect(await again.page.locator(".account-head code").textContent()).toBe(account);
  expect(again.errors).toEqual([]);
});

test("C-ACC-2: an answer of the provider signs in once, and in the browser alone that asked for it", async () => {
  const tab = await browser.open();
  await signInAs(tab.page, "subject-two");
  await tab.page.getByRole("heading", { name: "Choose your role" }).waitFor();
  const callback = tab.requests.find(({ url }) => url.includes("/sign-in/oidc/callback?"))?.url ?? "";
  expect(callback).toContain("code=");
  // The same answer again, and in another browser.
  for (const { page } of [tab, await browser.open()]) {
    await page.context().clearCookies({ name: /session$/ });
    await page.goto(callback);
    await page.getByText("The provider did not sign you in, or its answer was not valid.").waitFor();
    expect(page.url()).toBe(`${inject("origin")}/settings`);
  }
});
