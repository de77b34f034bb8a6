import { expect, inject, test } from "vitest";
import { operationsOf } from "../../build/operations.ts";
import { referenceSources } from "../../build/reference-documents.ts";
import { signIn, useBrowser } from "../harness/browser.ts";

const browser = useBrowser();
const sources = referenceSources();

test("the reference asks nothing of another host, and shows the operations that the clauses link to", async () => {
  const tab = await browser.open("/docs");
  const { page } = tab;
  for (const source of sources) {
    // As one comes from the page of the clauses.
    await page.goto("about:blank");
    const byTag = Map.groupBy(operationsOf(source), ({ operation }) => operation.tags?.[0]);
    for (const [{ address } = { address: "" }] of byTag.values()) {
      await page.goto(inject("origin") + address);
      const id = address.slice("/docs#".length);
      await page.locator(`[id="${id}"]`).waitFor({ state: "attached" });
    }
  }
  expect(tab.requests.filter(({ url }) => !url.startsWith(inject("origin")))).toEqual([]);
  expect(tab.errors).toEqual([]);
});

test("C-ACC-1: a visitor who is signed in makes a key for the page and creates a project with try-it", async () => {
  const tab = await signIn(browser);
  const { page } = tab;
  await page.goto(`${inject("origin")}/docs#v1/tag/projects/POST/projects`);
  await page.getByRole("button", { name: "create a key for this page" }).click();
  await page.getByText("Requests of this page carry the new key").waitFor();
  const operation = page.locator('[id="v1/tag/projects/POST/projects"]');
  await operation.getByRole("button", { name: /Test Request/ }).click();
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.url().endsWith("/v1/projects") && each.request().method() === "POST"),
    page.getByRole("button", { name: /^Send post request/ }).click(),
  ]);
  expect(response.status()).toBe(201);
  await page.getByText("201 Created").first().waitFor();
  expect(tab.requests.filter(({ url }) => !url.startsWith(inject("origin")))).toEqual([]);
});

test("the reference leads a visitor who is not signed in to the sign-in", async () => {
  const { page } = await browser.open("/docs");
  await page.getByRole("region", { name: "Key for requests" }).getByRole("link", { name: "sign in" }).click();
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
});
