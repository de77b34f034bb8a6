import { readFileSync } from "node:fs";
import { openapiJsonUrl } from "@project-feedback/spec";
import {
  type Document,
  type DocumentOperation,
  type JsonSchema,
  type OperationId,
  type Parameter,
  resolve,
} from "./document.ts";
import { localSchema } from "./schemas.ts";
import { type CompileValidator, type Validate, validatorCompiler } from "./validator.ts";

export type { OperationId };

/** One operation of the contract, with validators of its input. */
export interface ContractOperation {
  readonly id: OperationId;
  readonly method: "get" | "post" | "patch" | "delete";
  /** Path below the base address, such as `/projects/{id}`. */
  readonly path: string;
  /** Names of the query parameters that are integers. */
  readonly integerNames: ReadonlySet<string>;
  /** Validators of the body by media type; empty for an operation without a body. */
  readonly bodies: ReadonlyMap<string, Validate>;
  readonly isBodyRequired: boolean;
  /** Names of the request headers that the contract describes, in lower case. */
  readonly headerNames: readonly string[];
  /** Response headers of a deprecated operation: since when it is deprecated, and when it is removed (C-VER-1). */
  readonly deprecation: { readonly Deprecation: string; readonly Sunset: string } | undefined;
  readonly checkQuery: Validate;
  readonly checkHeaders: Validate;
}

export interface Contract {
  /** The OpenAPI document, as JSON text. */
  readonly json: string;
  readonly operations: ReadonlyMap<OperationId, ContractOperation>;
}

export interface ContractOptions {
  /** The OpenAPI document, as JSON. */
  readonly file?: URL;
  /** Address of this deployment, which the document then names as its only server. */
  readonly publicUrl?: string | undefined;
}

/** Reads the contract. */
export function loadContract({ file = openapiJsonUrl, publicUrl }: ContractOptions = {}): Contract {
  const source = readFileSync(file, "utf8");
  const document = JSON.parse(source) as Document;
  const servers = [{ url: `${publicUrl}/v1`, description: "This deployment." }];
  const externalDocs = { ...document.externalDocs, url: `${publicUrl}/clauses.yaml` };
  const json = publicUrl === undefined ? source : JSON.stringify({ ...document, servers, externalDocs });
  const compile = validatorCompiler(document);
  const operations = new Map<OperationId, ContractOperation>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const target = { method: method as ContractOperation["method"], path };
      operations.set(described.operationId, { ...target, ...readOperation(document, described, compile) });
    }
  }
  return { json, operations };
}

function readOperation(
  document: Document,
  described: DocumentOperation,
  compile: CompileValidator,
): Omit<ContractOperation, "method" | "path"> {
  const parameters = (described.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
  const query = parameters.filter((parameter) => parameter.in === "query");
  const headers = parameters
    .filter((parameter) => parameter.in === "header" && parameter.name.toLowerCase() !== "content-type")
    .map((parameter) => ({ ...parameter, name: parameter.name.toLowerCase() }));
  const isInteger = ({ schema }: Parameter) => resolve<JsonSchema>(document, schema).type === "integer";
  const content = described.requestBody?.content ?? {};
  return {
    id: described.operationId,
    integerNames: new Set(query.filter(isInteger).map(({ name }) => name)),
    bodies: new Map(Object.entries(content).map(([type, { schema }]) => [type, compile(localSchema(schema), "body")])),
    isBodyRequired: described.requestBody?.required ?? false,
    headerNames: headers.map(({ name }) => name),
    deprecation: deprecationOf(described),
    checkQuery: compile(schemaOf(query), "query"),
    checkHeaders: compile({ ...schemaOf(headers), additionalProperties: true }, "header"),
  };
}

/** `Deprecation` in Unix seconds and `Sunset` as an HTTP date (RFC 9745, RFC 8594). */
function deprecationOf({ "x-deprecation": dates }: DocumentOperation): ContractOperation["deprecation"] {
  return (
    dates && {
      Deprecation: `@${Math.floor(Date.parse(dates.since) / 1_000)}`,
      Sunset: new Date(dates.sunset).toUTCString(),
    }
  );
}

/** The schema of an object that has the parameters as its properties. */
function schemaOf(parameters: readonly Parameter[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, localSchema(schema)])),
    required: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
    additionalProperties: false,
  };
}
