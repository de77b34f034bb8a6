import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import { createKey, signIn, useBrowser } from "../harness/browser.ts";

const browser = useBrowser();
const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe-core reports of a page. The content security policy keeps it from being a script of the page. */
async function violations(page: Page): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send("Runtime.evaluate", {
    expression: `(async () => {
      ${axe};
      const { violations } = await axe.run(document);
      return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
    })()`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value;
}

const views: readonly (readonly [string, BrowserContextOptions])[] = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["phone width", { viewport: { width: 360, height: 740 } }],
];

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

test.each(views)(
  "axe-core reports nothing on the start, the clauses, the reference and the sign-in: %s",
  async (_, options) => {
    const { page } = await browser.open("/", options);
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await page.goto(new URL("/docs/clauses", page.url()).href);
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await page.goto(new URL("/settings", page.url()).href);
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await page.goto(new URL("/docs#v1/tag/projects/POST/projects", page.url()).href);
    await page.getByRole("heading", { name: "Create a project" }).waitFor();
    await page.getByText("To try operations here").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
  },
);

test.each(views)("axe-core reports nothing on the settings and their dialogs: %s", async (_, options) => {
  const tab = await signIn(browser, undefined, options);
  const { page } = tab;
  await page.getByText("There is no key yet").waitFor();
  await page.getByRole("button", { name: "Create a key" }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("textbox", { name: "Name" }).fill("a");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("dialog", { name: "Copy your key now" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "I have stored it" }).click();
  await createKey(tab, "b");
  await page.getByText("The same as a table").click();
  await page.getByRole("list", { name: "Sessions" }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
  await page.getByRole("button", { name: "Revoke a" }).click();
  expect(await violations(page)).toEqual([]);
});

test("a key is created and stored with the keyboard alone, and the focus comes back to where it was", async () => {
  const { page } = await signIn(browser);
  await page.getByText("There is no key yet").waitFor();
  await page.getByRole("button", { name: "Create a key" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Copy your key now" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Live keys" }).getByText("by keyboard").waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Create a key");
});
