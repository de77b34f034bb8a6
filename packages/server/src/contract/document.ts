import type { AccountOperations, operations } from "@project-feedback/spec";

/** Operations of v1, and of the account's own interface. */
export type OperationId = keyof operations;
export type AccountOperationId = keyof AccountOperations;

/** A JSON Schema of the contract. */
export type JsonSchema = { [keyword: string]: unknown };

/** A parameter of an operation, references resolved. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface DocumentOperation<Id extends string = OperationId> {
  readonly operationId: Id;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Record<string, { readonly schema: JsonSchema }>;
  };
  readonly responses: Record<string, unknown>;
  readonly deprecated?: boolean;
  /** `[{}]` of an operation that needs no authentication. */
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly "x-open-query"?: boolean;
  readonly "x-deprecation"?: { readonly since: string; readonly sunset: string };
}

/** The parts of the OpenAPI document that the server reads. */
export interface Document<Id extends string = OperationId> {
  readonly paths: Record<string, Record<string, DocumentOperation<Id>>>;
  readonly externalDocs?: { readonly url: string; readonly description?: string };
  readonly components: Record<string, Record<string, unknown>>;
}

/** Follows `$ref` to what it names in the document. */
export function resolve<Value>(document: Pick<Document, "components">, value: unknown): Value {
  const reference = (value as { $ref?: string }).$ref;
  if (reference === undefined) return value as Value;
  const [, , kind = "", name = ""] = reference.split("/");
  return resolve(document, document.components[kind]?.[name]);
}
