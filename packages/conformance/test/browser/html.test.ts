import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runConformance } from "../../src/engine/run.ts";
import { html } from "../../src/reporters/html.ts";
import { Reference } from "../../zoo/reference.ts";
import { askAt, fetchThrough } from "../../zoo/wire.ts";

const folder = mkdtempSync(join(tmpdir(), "conformance-html-"));
const file = join(folder, "report.html");
let browser: Browser;
let page: Page;
const outside: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
  const reference = await Reference.open();
  const { baseUrl, stop } = await reference.serve();
  const ask = askAt(baseUrl);
  // A server that fails, and that would run a script in a report that let it.
  const hostile = fetchThrough(baseUrl, async (sent) => {
    const got = await ask(sent);
    return sent.method === "DELETE" && got.status === 200
      ? {
          ...got,
          body: { success: "<img src=x onerror=document.title='owned'></pre><script>document.title='owned'</script>" },
        }
      : got;
  });
  const report = await runConformance({
    baseUrl,
    ...(await reference.keys()),
    ledger: false,
    maxWait: 0,
    fetch: hostile,
  });
  writeFileSync(file, html(report));
  await stop();
  await reference.close();
  const executablePath = process.env.CHROMIUM ?? execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  page.on("request", (request) => void (request.url().startsWith("file:") || outside.push(request.url())));
  page.on("pageerror", (error) => void errors.push(error.message));
  await page.goto(pathToFileURL(file).href);
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the HTML report", () => {
  test("shows the verdict", async () => expect(await page.textContent("h1")).toBe("does not conform"));

  test("asks for nothing outside itself and runs without an error", () => {
    expect(outside).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("runs nothing that a server sent", async () => expect(await page.title()).toContain("Conformance of"));

  test("fits a phone without scrolling sideways", async () => {
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(360);
  });

  test("opens what fails", async () => {
    expect(await page.locator(".check[data-status=fail][open]").count()).toBe(
      await page.locator(".check[data-status=fail]").count(),
    );
  });

  test("filters by status, by level and by words", async () => {
    await page.selectOption("#status", "fail");
    const failures = await page.locator(".check:visible").count();
    expect(failures).toBe(await page.locator(".check[data-status=fail]").count());
    await page.selectOption("#status", "");
    await page.selectOption("#level", "chosen");
    expect(await page.locator(".check[data-level=stated]:visible").count()).toBe(0);
    await page.selectOption("#level", "");
    await page.fill("#text", "S-RATE-3");
    const shown = await page.locator(".check:visible").allTextContents();
    expect(shown.length).toBeGreaterThan(0);
    for (const text of shown) expect(text).toContain("S-RATE-3");
    await page.fill("#text", "");
  });

  test("leads from a check to its exchanges", async () => {
    await page.locator(".check[data-status=fail] a[href^='#exchange-']").first().click();
    expect(await page.locator(".exchange[open]").count()).toBe(1);
  });
});
