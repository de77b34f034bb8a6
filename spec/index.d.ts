export type { components, operations, paths } from "./generated/openapi.d.ts";

/** The OpenAPI 3.1 document, as a file URL. */
export declare const openapiUrl: URL;

/** The same document as JSON, which programs read in a tenth of the time. */
export declare const openapiJsonUrl: URL;

/** Every clause with its level and text, as a file URL. */
export declare const clausesUrl: URL;
