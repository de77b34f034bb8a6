import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { openapiUrl } from "../index.js";

/** Reads a YAML file of this package. */
export function read(path) {
  return parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"));
}

/** The contract, read afresh, so that a test may change its copy. */
export function readContract() {
  return parse(readFileSync(openapiUrl, "utf8"));
}

/** Every operation as `{ name, operation }`. */
export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
}
