import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createKey, signIn, statusWith, takeKey, useBrowser } from "../harness/browser.ts";
import { invite, newAccount } from "../harness/command.ts";

const browser = useBrowser();
/** C-KEY-2, in milliseconds. */
const revokedWithin = 5_000;

test("C-ACC-2 S-AUTH-3: from a printed link to a key to a call of v1; the key is shown once and can be copied", async () => {
  const tab = await signIn(browser);
  const { page } = tab;
  await page.getByText("There is no key yet").waitFor();
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("laptop");
  await page.getByRole("combobox", { name: "Expiry" }).selectOption("After 30 days");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Copy your key now" });
  await dialog.getByText("This is the only time that the key laptop is shown").waitFor();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Copy the key" }).click();
  await dialog.getByText("Copied.").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const key = await takeKey(page);
  expect(copied).toBe(key);
  expect(key).toMatch(/^pfs_[0-9A-Za-z]{46}$/);
  expect(await statusWith(key)).toBe(200);

  await page.reload();
  const card = page.getByRole("listitem").filter({ hasText: "laptop" });
  await card.getByText(`${key.slice(0, 8)}…${key.slice(-4)}`).waitFor();
  expect(await page.content()).not.toContain(key);
  expect(tab.errors).toEqual([]);
});

test("C-KEY-3: after a rotation the next key works, and the one before as long as was said", async () => {
  const tab = await signIn(browser);
  const { page } = tab;
  const first = await createKey(tab, "server");
  await page.getByRole("button", { name: "Rotate server" }).click();
  await page.getByRole("combobox", { name: "Keep the present key for" }).selectOption("2 days");
  await page.getByRole("button", { name: "Create the next key" }).click();
  const second = await takeKey(page);
  expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
  const earlier = page.getByRole("listitem").filter({ hasText: "A rotation has created its successor." });
  const end = await earlier.locator("dt:has-text('Valid until') + dd time").getAttribute("datetime");
  expect(Date.parse(end ?? "") - Date.now()).toBeGreaterThan(47 * 3_600_000);
  expect(Date.parse(end ?? "") - Date.now()).toBeLessThanOrEqual(48 * 3_600_000);

  const cards = page.getByRole("list", { name: "Live keys" }).getByRole("listitem");
  await cards
    .filter({ hasText: second.slice(-4) })
    .getByRole("button", { name: /^Rotate/ })
    .click();
  await page.getByRole("combobox", { name: "Keep the present key for" }).selectOption("0 days: it ends now");
  await page.getByRole("button", { name: "Create the next key" }).click();
  const third = await takeKey(page);
  await untilRefused(second);
  expect([await statusWith(first), await statusWith(third)]).toEqual([200, 200]);
});

test("C-KEY-2: a revoked key is refused within 5 s, and listed as ended; a renamed one goes on", async () => {
  const tab = await signIn(browser);
  const { page } = tab;
  const [kept, ended] = [await createKey(tab, "kept"), await createKey(tab, "lost laptop")];
  expect([await statusWith(kept), await statusWith(ended)]).toEqual([200, 200]);
  await page.getByRole("button", { name: "Rename kept" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("renamed");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await page.getByText("The key is now named renamed.").waitFor();

  await page.getByRole("button", { name: "Revoke lost laptop" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText("The key lost laptop is revoked.").waitFor();
  await untilRefused(ended);
  expect(await statusWith(kept)).toBe(200);
  await page.getByText("Ended keys of the last 30 days (1)").click();
  await page.getByRole("list", { name: "Ended keys" }).getByText("lost laptop").waitFor();
});

test("C-ACC-2: a link that was used is refused, and the page says what to do", async () => {
  const link = await invite(await newAccount({ role: "tester" }));
  const first = await browser.open(link);
  await first.page.getByText("Signed in as").waitFor();
  const second = await browser.open(link);
  const notice = second.page.locator(".notice");
  await notice.waitFor();
  expect(await notice.textContent()).toMatch(/link.*\. \S+.*\./s);
  await second.page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
});

test("C-ACC-2: a link that is opened in a tab that shows the settings already signs in", async () => {
  const { page } = await browser.open("/settings");
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  const link = await invite(await newAccount({ role: "tester", name: "Tessa" }));
  await page.evaluate((hash) => {
    location.hash = hash;
  }, new URL(link).hash);
  await page.getByText("Signed in as Tessa").waitFor();
  expect(new URL(page.url()).hash).toBe("");
});

test("C-ACC-4: the usage shows the requests of the keys, as a chart and as a table, for a day and for a week", async () => {
  const tab = await signIn(browser);
  const { page } = tab;
  const key = await createKey(tab, "counted");
  for (let each = 0; each < 7; each += 1) await statusWith(key);
  const chart = page.getByRole("img", { name: /^Requests by hour: 7 in all, 0 past the allowance/ });
  await expect
    .poll(
      async () => {
        await page.getByRole("button", { name: "Refresh" }).click();
        return chart.count();
      },
      { timeout: 30_000, interval: 1_000 },
    )
    .toBe(1);
  expect(await chart.locator("canvas").count()).toBe(1);
  await page.getByText("The same as a table, by hour").click();
  expect(await page.getByRole("row").nth(1).getByRole("cell").first().textContent()).toBe("7");
  expect(await page.getByRole("row").count()).toBe(25);
  await page.getByRole("radio", { name: "7 days" }).click();
  await page.getByText("The same as a table, by day").waitFor();
  expect(await page.getByRole("row").nth(1).getByRole("cell").first().textContent()).toBe("7");
});

async function untilRefused(key: string): Promise<void> {
  const began = performance.now();
  while ((await statusWith(key)) !== 401) {
    expect(performance.now() - began).toBeLessThan(revokedWithin);
    await sleep(100);
  }
}
