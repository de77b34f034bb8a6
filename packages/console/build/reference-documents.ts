import { readFileSync } from "node:fs";
import { accountJsonUrl, openapiJsonUrl } from "@project-feedback/spec";
import type { Document, Parameter } from "@project-feedback/spec/document";
import type { Plugin } from "vite";
import { operationsOf, type ReferenceSource } from "./operations.ts";
import { keySamples, sessionSamples } from "./samples.ts";

const moduleId = "virtual:reference-documents";

/** The interfaces, in the order of the reference. */
export function referenceSources(): ReferenceSource[] {
  const read = (url: URL): Document => JSON.parse(readFileSync(url, "utf8"));
  return [
    { slug: "v1", title: "Projects and feedback", base: "/v1", document: read(openapiJsonUrl) },
    { slug: "account", title: "Account", base: "/account/v1", document: read(accountJsonUrl) },
  ];
}

/** Gives the reference its documents as the JSON text in the module `virtual:reference-documents`. */
export function referenceDocuments(): Plugin {
  return {
    name: "reference-documents",
    resolveId: (id) => (id === moduleId ? `\0${moduleId}` : undefined),
    load: (id) => {
      if (id !== `\0${moduleId}`) return undefined;
      const documents = referenceSources().map((source) => {
        const { slug, title } = source;
        return { slug, title, content: referenceDocument(source) };
      });
      return `export default ${JSON.stringify(JSON.stringify(documents))};`;
    },
  };
}

/**
 * The document as the reference shows it: with samples, and with links to the clauses in each description. `{origin}`
 * stands for the server that sends the page.
 */
export function referenceDocument(source: ReferenceSource): Document {
  const { base } = source;
  const { externalDocs: _, ...document } = structuredClone(source.document);
  document.servers = [{ url: `{origin}${base}` }];
  for (const named of operationsOf({ ...source, document })) {
    const { operation } = named;
    const links = named.clauses.map((id) => `[${id}](/docs/clauses#${id})`).join(", ");
    operation.description = [operation.description, links && `Clauses: ${links}`].filter(Boolean).join("\n\n");
    operation["x-codeSamples"] = base === "/v1" ? keySamples(document, named) : sessionSamples(document, named, base);
    // The browser sends the cookie of the session by itself, and shows it to no page.
    if (base !== "/v1") delete operation.security;
  }
  for (const parameter of parametersOf(document)) {
    // The form would send it: the same Idempotency-Key with each request, and a cursor beside a page.
    if (!parameter.required) delete parameter.example;
  }
  if (base !== "/v1") {
    delete document.security;
    document.components.securitySchemes = {};
  }
  return document;
}

function parametersOf(document: Document): Parameter[] {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const own = operations.flatMap(({ parameters = [] }) => parameters).filter((each) => "name" in each);
  return [...own, ...Object.values(document.components.parameters ?? {})];
}
