import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Document, Operation } from "../document.ts";
import { accountUrl, openapiUrl } from "../index.ts";

/** Reads a YAML file of this package. */
export function read<Content>(path: string): Content {
  return parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"));
}

/** Reads the contract anew, so that a test may change its copy. */
export function readContract(): Document {
  return parse(readFileSync(openapiUrl, "utf8"));
}

/** Reads the contract of the account's own interface anew. */
export function readAccountContract(): Document {
  return parse(readFileSync(accountUrl, "utf8"));
}

/** Every operation with its name, such as `GET /projects`. */
export function operationsOf(document: Document): { name: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
}
