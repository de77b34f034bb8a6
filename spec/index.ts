// The contracts for those who read them at run time, and their types.

export type {
  components as AccountComponents,
  operations as AccountOperations,
  paths as AccountPaths,
} from "./generated/account.d.ts";
export type { components, operations, paths } from "./generated/openapi.d.ts";

/** The OpenAPI 3.1 document, as a file URL. */
export const openapiUrl = new URL("./openapi.yaml", import.meta.url);

/** The same document as JSON, which parses in a tenth of the time. */
export const openapiJsonUrl = new URL("./generated/openapi.json", import.meta.url);

/** The OpenAPI 3.1 document of the last released version, as a file URL. */
export const releasedContractUrl = new URL("./released/v1.yaml", import.meta.url);

/** The OpenAPI 3.1 document of the account's own interface, as a file URL. */
export const accountUrl = new URL("./account/openapi.yaml", import.meta.url);

/** The same document as JSON. */
export const accountJsonUrl = new URL("./generated/account.json", import.meta.url);

/** Every clause with its level and text, as a file URL. */
export const clausesUrl = new URL("./clauses.yaml", import.meta.url);
