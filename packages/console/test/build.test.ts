import { readFileSync } from "node:fs";
import { clausesUrl } from "@project-feedback/spec";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { toHtml } from "../build/clauses.ts";
import { builtFolder, type PageFile, readFiles } from "../build/files.ts";
import { referenceDocument, referenceSources } from "../build/reference-documents.ts";

const files = readFiles(builtFolder()) ?? new Map<string, PageFile>();
const pages = [...files.values()].filter(({ kind }) => kind === "page");
const textOf = ({ variants }: PageFile) => readFileSync(variants.identity ?? "", "utf8");

/** Bytes of a file as a browser that takes gzip loads it. */
function gzipped(path: string): number {
  const file = files.get(path);
  if (!file) throw new Error(`${path} is not built.`);
  return readFileSync(file.variants.gzip ?? file.variants.identity ?? "").length;
}

/** The scripts that a page loads before it can be used: those it names, and those they import. */
function scriptsOf(page: string): string[] {
  const found = new Set([...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path));
  for (const path of found) {
    const file = files.get(path);
    const imports = file ? textOf(file).matchAll(/(?:from|import)\s*["'`](?:\.\/|\/assets\/)([^"'`]+\.js)["'`]/g) : [];
    for (const [, name] of imports) found.add(`/assets/${name}`);
  }
  return [...found];
}

test("the pages are the start, the settings, the reference and the clauses", () => {
  expect(pages.map(({ path }) => path).sort()).toEqual(["/", "/docs", "/docs/clauses", "/settings"]);
});

test("the settings load at most 60 kB of gzipped script, and the start page and the clauses none", () => {
  const bytesOf = (path: string) => {
    const scripts = scriptsOf(textOf(files.get(path) as PageFile));
    return scripts.reduce((sum, script) => sum + gzipped(script), 0);
  };
  expect(bytesOf("/settings")).toBeGreaterThan(10_000);
  expect(bytesOf("/settings")).toBeLessThanOrEqual(60_000);
  expect(bytesOf("/")).toBe(0);
  expect(bytesOf("/docs/clauses")).toBe(0);
});

test.each(pages)("$path has no inline script or style, and names nothing of another host", (page) => {
  const html = textOf(page);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
  expect(html.match(/<script[^>]*>(?!<\/script>)/g)).toBeNull();
  expect(html.match(/(?:src|href|action)="(?:https?:)?\/\//g)).toBeNull();
});

test("the pages share a navigation, which marks the present page", () => {
  for (const page of pages) {
    expect(textOf(page)).toContain('<nav class="site"');
    if (page.path !== "/") expect(textOf(page)).toContain(`<a href="${page.path}" aria-current="page">`);
  }
});

test("every file but the smallest is there compressed, as br and gzip", () => {
  for (const file of files.values()) {
    if (textOf(file).length > 2_000) expect(Object.keys(file.variants), file.path).toEqual(["identity", "br", "gzip"]);
  }
});

test("the page of the clauses has every clause, with its id as its address", () => {
  const html = textOf(files.get("/docs/clauses") as PageFile);
  for (const [id, { text }] of Object.entries<{ text: string }>(parse(readFileSync(clausesUrl, "utf8")))) {
    expect(html).toContain(`<li id="${id}">`);
    expect(html).toContain(toHtml(text));
  }
});

test("the text of a clause is shown as text, and its code as code", () => {
  expect(toHtml('`<b>` & "x"')).toBe("<code>&lt;b&gt;</code> &amp; &quot;x&quot;");
});

test("the form of the reference sends no optional parameter by itself, such as the Idempotency-Key of an example", () => {
  for (const source of referenceSources()) {
    expect(JSON.stringify(source.document)).toContain('"example"');
    const { paths, components } = referenceDocument(source);
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const parameters = [
      ...Object.values(components.parameters ?? {}),
      ...operations.flatMap((each) => each.parameters ?? []),
    ];
    for (const parameter of parameters) {
      if ("name" in parameter && !parameter.required) expect(parameter).not.toHaveProperty("example");
    }
  }
});
