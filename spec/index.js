// Where the contract stands, for those who read it at run time.

/** The OpenAPI 3.1 document, as a file URL. */
export const openapiUrl = new URL("./openapi.yaml", import.meta.url);

/** Every clause with its level and text, as a file URL. */
export const clausesUrl = new URL("./clauses.yaml", import.meta.url);
