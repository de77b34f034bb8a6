// The contract for those who read it at run time, and its types.

export type { components, operations, paths } from "./generated/openapi.d.ts";

/** The OpenAPI 3.1 document, as a file URL. */
export const openapiUrl = new URL("./openapi.yaml", import.meta.url);

/** The same document as JSON, which parses in a tenth of the time. */
export const openapiJsonUrl = new URL("./generated/openapi.json", import.meta.url);

/** Every clause with its level and text, as a file URL. */
export const clausesUrl = new URL("./clauses.yaml", import.meta.url);
