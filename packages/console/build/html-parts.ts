import { readFileSync } from "node:fs";
import { clausesUrl } from "@project-feedback/spec";
import type { Plugin } from "vite";
import { parse } from "yaml";
import { type Clauses, clausesHtml } from "./clauses.ts";
import { referenceSources } from "./reference-documents.ts";

const links = [
  ["/docs", "API reference"],
  ["/docs/clauses", "Clauses"],
  ["/settings", "API settings"],
] as const;

/** Fills in what the pages share, and the clauses. */
export function htmlParts(): Plugin {
  return {
    name: "html-parts",
    transformIndexHtml: {
      order: "pre",
      handler: (html, { path }) =>
        html.replace("<!-- navigation -->", () => navigation(path)).replace("<!-- clauses -->", () => clauses()),
    },
  };
}

/** The navigation of a page, such as that of `/settings.html`. */
function navigation(file: string): string {
  const current = { "/docs.html": "/docs", "/clauses.html": "/docs/clauses", "/settings.html": "/settings" }[file];
  const items = links.map(
    ([path, name]) => `<li><a href="${path}"${path === current ? ' aria-current="page"' : ""}>${name}</a></li>`,
  );
  return `<a class="skip" href="#main">Skip to the content</a>
<nav class="site" aria-label="Site"><a class="name" href="/">Project Feedback</a><ul>${items.join("")}</ul></nav>`;
}

function clauses(): string {
  const all: Clauses = parse(readFileSync(clausesUrl, "utf8"));
  return clausesHtml(all, referenceSources());
}
