import type { CDPSession } from "playwright-core";
import { expect, test } from "vitest";
import { signIn, type Tab, useBrowser } from "../harness/browser.ts";

const browser = useBrowser();

/** Connects an authenticator to the page, which says yes to everything. */
async function authenticator({ context, page }: Tab, transport: "internal" | "usb"): Promise<Authenticator> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

interface Authenticator {
  readonly session: CDPSession;
  readonly authenticatorId: string;
}

async function addPasskey({ page }: Tab, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText(`The passkey ${name} is added.`).waitFor();
}

async function signOut({ page }: Tab): Promise<void> {
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are signed out.").waitFor();
}

async function signInAgain({ page }: Tab): Promise<void> {
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("Signed in as").waitFor();
}

test("C-ACC-2: a passkey is offered after the first sign-in, and then sufficient alone; a second one too", async () => {
  const tab = await signIn(browser);
  const { page } = tab;
  await page.getByText("Add a passkey, and this device").waitFor();
  const first = await authenticator(tab, "internal");
  await addPasskey(tab, "laptop");
  await signOut(tab);
  await signInAgain(tab);
  await page.getByRole("listitem").filter({ hasText: "by passkey" }).waitFor();

  // Another device: the first one is taken away.
  const { credentials } = await first.session.send("WebAuthn.getCredentials", first);
  await first.session.send("WebAuthn.removeVirtualAuthenticator", first);
  await authenticator(tab, "usb");
  await addPasskey(tab, "key ring");
  await signOut(tab);
  await signInAgain(tab);

  await page.getByRole("button", { name: "Remove laptop" }).click();
  await page.getByText("The passkey laptop is removed.").waitFor();
  await signOut(tab);
  await signInAgain(tab);
  expect(credentials.length).toBe(1);
  expect(tab.errors).toEqual([]);
});

test("C-ACC-2: a passkey that was removed signs nobody in, and the page says what to do", async () => {
  const tab = await signIn(browser);
  const { page } = tab;
  await authenticator(tab, "internal");
  await addPasskey(tab, "lost");
  await page.getByRole("button", { name: "Remove lost" }).click();
  await page.getByText("The passkey lost is removed.").waitFor();
  await signOut(tab);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  const alert = page.locator(".alert");
  await alert.waitFor();
  expect(await alert.textContent()).toMatch(/passkey.*\. \S+/);
});

test("C-ACC-2: at an IP address the page leads to the address where passkeys work", async () => {
  const { page } = await browser.open("/settings");
  const { port } = new URL(page.url());
  await page.goto(`http://127.0.0.1:${port}/settings`);
  const link = page.getByRole("link", { name: `http://localhost:${port}/settings` });
  await link.waitFor();
  expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
});
