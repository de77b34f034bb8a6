import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { launchChromium } from "./chromium.ts";
import { invite, newAccount } from "./command.ts";

/** A page, and what it reports and asks for. */
export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, and what the content security policy has refused. */
  readonly errors: string[];
  /** Every URL that was asked for, with its Referer. */
  readonly requests: { readonly url: string; readonly referer: string | undefined }[];
}

/** Chromium for the tests of one file. */
export function useBrowser(): { open(path?: string, options?: BrowserContextOptions): Promise<Tab> } {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  return {
    async open(path = "/settings", options = {}) {
      const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const tab: Tab = { page, context, errors: [], requests: [] };
      page.on("pageerror", ({ message }) => tab.errors.push(message));
      page.on("console", (message) => {
        if (message.text().includes("Content Security Policy")) tab.errors.push(message.text());
      });
      page.on("request", (request) => {
        tab.requests.push({ url: request.url(), referer: request.headers().referer });
      });
      await page.goto(new URL(path, inject("origin")).href);
      return tab;
    },
  };
}

/** Opens a new sign-in link of an account in a browser of its own. */
export async function signIn(
  { open }: ReturnType<typeof useBrowser>,
  accountId?: string,
  options?: BrowserContextOptions,
): Promise<Tab> {
  const id = accountId ?? (await newAccount({ role: "developer" }));
  const tab = await open(await invite(id), options);
  await tab.page.getByText("Signed in as").waitFor();
  return tab;
}

/** Creates a key in the settings and returns it. */
export async function createKey({ page }: Tab, name: string): Promise<string> {
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  return takeKey(page);
}

/** The key in the dialog that shows it, which is then closed. */
export async function takeKey(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "Copy your key now" });
  const key = await dialog.getByRole("textbox", { name: "Key" }).inputValue();
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "detached" });
  return key;
}

/** The status of a request to v1 with a key. */
export async function statusWith(key: string): Promise<number> {
  const response = await fetch(`${inject("origin")}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
  return response.status;
}
