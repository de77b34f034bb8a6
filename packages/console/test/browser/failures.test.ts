import { expect, test } from "vitest";
import { signIn, useBrowser } from "../harness/browser.ts";

const browser = useBrowser();

test("offline: the page says so, keeps what it shows, and goes on when the network is back", async () => {
  const { page, context } = await signIn(browser);
  await page.getByText("There is no key yet").waitFor();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("You are offline. Connect to the network, then try again.").waitFor();
  await page.getByText("There is no key yet").waitFor();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("You are offline.").waitFor({ state: "detached" });
});

test.each([
  [429, "30", "There were too many requests. Try again in 30 seconds."],
  [503, "5", "The service is not available. Try again in 5 seconds."],
  [502, undefined, "The service is not available. Try again in a minute."],
  [500, undefined, "The service answered 500 without a reason. Reload the page"],
])("a %i of a proxy in front, which has no message: the page says what to do", async (status, after, message) => {
  const { page } = await browser.open("/");
  await page.route("**/account/v1/account", (route) =>
    route.fulfill({ status, body: "<h1>Proxy</h1>", headers: after ? { "Retry-After": after } : {} }),
  );
  await page.goto(new URL("/settings", page.url()).href);
  await page.getByText(message).waitFor();
  await page.unroute("**/account/v1/account");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
});

test("the 21st key is refused with the reason, and the dialog stays", async () => {
  const { page } = await signIn(browser);
  await page.getByText("There is no key yet").waitFor();
  const statuses = await page.evaluate(async () => {
    const create = () =>
      fetch("/account/v1/keys", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ name: "many" }),
      });
    const found: number[] = [];
    for (let each = 0; each < 20; each += 1) found.push((await create()).status);
    return found;
  });
  expect(new Set(statuses)).toEqual(new Set([201]));
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("one more");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const alert = page.getByRole("dialog").locator(".alert");
  await alert.waitFor();
  expect(await alert.textContent()).toMatch(/20.*\. \S+/);
});
