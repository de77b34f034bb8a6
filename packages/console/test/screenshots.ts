// Writes the screenshots of the README into docs/images, from the real server with the demo developer. Needs Chromium.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "./harness/chromium.ts";
import { start } from "./harness/start.ts";

const folder = fileURLToPath(new URL("../../../docs/images/", import.meta.url));
const quality = 0.8;
const server = await start();
const browser = await launchChromium();
try {
  mkdirSync(folder, { recursive: true });
  const { link, key } = demo(server.dataDir);
  await useKey(key);
  const { page, context } = await open(browser);
  await page.goto(link);
  await page.getByRole("list", { name: "Live keys" }).waitFor();
  for (const [name, days] of [
    ["laptop", 90],
    ["build server", 365],
  ] as const) {
    await page.evaluate(createKey, { name, expiresInDays: days });
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${server.origin}/settings`);
    await page.getByRole("img", { name: /^Requests by hour: [1-9]/ }).waitFor();
    await write(page, `settings-${colorScheme}.webp`);
    await page.goto("about:blank");
    await page.goto(`${server.origin}/docs#v1/tag/projects/POST/projects`);
    await page.getByRole("button", { name: "create a key for this page" }).waitFor();
    await page.getByText("S-PROJ-CREATE-1").first().waitFor();
    // Scalar scrolls to the operation when the parts above it have their height.
    await page.waitForTimeout(2_000);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await write(page, `reference-${colorScheme}.webp`);
  }
  await context.close();
} finally {
  await browser.close();
  await server.stop();
}

function demo(dataDir: string): { link: string; key: string } {
  const lines = readFileSync(join(dataDir, "demo-keys.env"), "utf8").split("\n");
  const setting = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  return { link: setting("DEVELOPER_LINK").replaceAll("'", ""), key: setting("DEVELOPER") };
}

/** Gives the chart something to show; its counts are up to 15 s old. */
async function useKey(key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  for (let each = 0; each < 42; each += 1) await fetch(`${server.origin}/v1/projects`, { headers });
  for (let each = 0; each < 3; each += 1) await fetch(`${server.origin}/v1/projects/none`, { headers });
  await new Promise((resolve) => setTimeout(resolve, 16_000));
}

async function open(from: Browser) {
  const context = await from.newContext({ viewport: { width: 1200, height: 960 }, locale: "en-GB" });
  return { context, page: await context.newPage() };
}

async function createKey(body: object): Promise<number> {
  const headers = { "Content-Type": "application/json" };
  return (await fetch("/account/v1/keys", { method: "POST", headers, body: JSON.stringify(body) })).status;
}

/** Writes what the page shows as WebP, a fifth of the size of PNG. */
async function write(page: Page, name: string): Promise<void> {
  const png = (await page.screenshot()).toString("base64");
  const blank = await page.context().newPage();
  const webp = await blank.evaluate(
    async ([source, level]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", level);
    },
    [png, quality] as const,
  );
  await blank.close();
  writeFileSync(join(folder, name), Buffer.from(webp.slice(webp.indexOf(",") + 1), "base64"));
}
