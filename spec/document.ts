/** A reference to a component of the same document, such as `#/components/schemas/Project`. */
export interface Reference {
  $ref: string;
}

/** A JSON Schema (2020-12) with the keywords that this package reads by name. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  description?: string;
  [keyword: string]: unknown;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Header {
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Parameter extends Header {
  name: string;
  in: "path" | "query" | "header";
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
}

export interface RequestBody {
  description?: string;
  required?: boolean;
  content: Record<string, MediaType>;
}

export interface Link {
  operationId: string;
  parameters: Record<string, string>;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
  links?: Record<string, Link>;
}

/** What `@link` leaves in the emitted document; refine.ts turns it into `Link`s. */
export interface LinkSource {
  status: string;
  operationId: string;
  parameter: string;
  from: string;
}

export interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody;
  responses: Record<string, Response | Reference>;
  "x-links"?: LinkSource[];
  /** The name of a schema, from `@mergePatch`. */
  "x-merge-patch"?: string;
  /** Any other extension, such as `x-clauses`. */
  [extension: `x-${string}`]: unknown;
}

export type Path = Record<string, Operation>;

export interface Components {
  schemas: Record<string, Schema>;
  parameters: Record<string, Parameter>;
  headers: Record<string, Header>;
  responses: Record<string, Response>;
  securitySchemes: Record<string, { description?: string }>;
}

/** An OpenAPI 3.1 document with the parts that this contract has. */
export interface Document {
  paths: Record<string, Path>;
  components: Components;
  security?: Record<string, string[]>[];
  [part: string]: unknown;
}

/**
 * What a value or the local reference in its place stands for.
 *
 * @throws Error if the reference names no part of the document
 */
export function resolve<Value extends object>(document: Document, value: Value | Reference): Value {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as Value;
  const [, ...keys] = value.$ref.split("/");
  let found: unknown = document;
  for (const key of keys) found = (found as Record<string, unknown> | undefined)?.[key];
  if (found === undefined) throw new Error(`${value.$ref} names no part of the document.`);
  return resolve(document, found as Value | Reference);
}
