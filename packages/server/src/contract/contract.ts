import { readFileSync } from "node:fs";
import { accountJsonUrl, openapiJsonUrl } from "@project-feedback/spec";
import {
  type AccountOperationId,
  type Document,
  type DocumentOperation,
  type JsonSchema,
  type OperationId,
  type Parameter,
  resolve,
} from "./document.ts";
import { localSchema } from "./schemas.ts";
import { type CompileValidator, type Validate, validatorCompiler } from "./validator.ts";

export type { AccountOperationId, OperationId };

/** One operation of a contract, with validators of its input. */
export interface ContractOperation<Id extends string = string> {
  readonly id: Id;
  readonly method: "get" | "post" | "patch" | "delete";
  /** Path below the base address, such as `/projects/{id}`. */
  readonly path: string;
  /** Names of the query parameters that are integers. */
  readonly integerNames: ReadonlySet<string>;
  /** Validators of the body by media type; empty for an operation without a body. */
  readonly bodies: ReadonlyMap<string, Validate>;
  readonly isBodyRequired: boolean;
  /** Whether it needs no authentication. */
  readonly isPublic: boolean;
  /** Names of the request headers that the contract describes, in lower case. */
  readonly headerNames: readonly string[];
  /** Response headers of a deprecated operation: since when it is deprecated, and when it is removed (C-VER-1). */
  readonly deprecation: { readonly Deprecation: string; readonly Sunset: string } | undefined;
  readonly checkQuery: Validate;
  readonly checkHeaders: Validate;
}

export interface Contract<Id extends string = OperationId> {
  /** The OpenAPI document, as JSON text. */
  readonly json: string;
  readonly operations: ReadonlyMap<Id, ContractOperation<Id>>;
}

export interface ContractOptions {
  /** The OpenAPI document, as JSON. */
  readonly file?: URL;
  /** Address of this deployment, which the document then names as its only server. */
  readonly publicUrl?: string | undefined;
  /** Every path of the contract is appended to this. */
  readonly basePath?: string;
}

/** Reads the contract of v1, or of another file. */
export function loadContract<Id extends string = OperationId>(options: ContractOptions = {}): Contract<Id> {
  const { file = openapiJsonUrl, publicUrl, basePath = "/v1" } = options;
  const source = readFileSync(file, "utf8");
  const document = JSON.parse(source) as Document<Id>;
  const servers = [{ url: `${publicUrl}${basePath}`, description: "This deployment." }];
  const externalDocs = { ...document.externalDocs, url: `${publicUrl}/clauses.yaml` };
  const json = publicUrl === undefined ? source : JSON.stringify({ ...document, servers, externalDocs });
  const compile = validatorCompiler(document);
  const operations = new Map<Id, ContractOperation<Id>>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const target = { method: method as ContractOperation["method"], path, id: described.operationId };
      operations.set(described.operationId, { ...target, ...readOperation(document, described, compile) });
    }
  }
  return { json, operations };
}

/** Reads the contract of the account's own interface (C-ACC-1). */
export function loadAccountContract(options: Omit<ContractOptions, "file">): Contract<AccountOperationId> {
  return loadContract<AccountOperationId>({ ...options, file: accountJsonUrl });
}

function readOperation(
  document: Pick<Document, "components">,
  described: DocumentOperation<string>,
  compile: CompileValidator,
): Omit<ContractOperation, "id" | "method" | "path"> {
  const parameters = (described.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
  const query = parameters.filter((parameter) => parameter.in === "query");
  const headers = parameters
    .filter((parameter) => parameter.in === "header" && parameter.name.toLowerCase() !== "content-type")
    .map((parameter) => ({ ...parameter, name: parameter.name.toLowerCase() }));
  const isInteger = ({ schema }: Parameter) => resolve<JsonSchema>(document, schema).type === "integer";
  const content = described.requestBody?.content ?? {};
  const isOpen = described["x-open-query"] === true;
  return {
    integerNames: new Set(query.filter(isInteger).map(({ name }) => name)),
    bodies: new Map(Object.entries(content).map(([type, { schema }]) => [type, compile(localSchema(schema), "body")])),
    isBodyRequired: described.requestBody?.required ?? false,
    isPublic: described.security?.some((each) => Object.keys(each).length === 0) ?? false,
    headerNames: headers.map(({ name }) => name),
    deprecation: deprecationOf(described),
    checkQuery: compile({ ...schemaOf(query), additionalProperties: isOpen }, "query"),
    checkHeaders: compile({ ...schemaOf(headers), additionalProperties: true }, "header"),
  };
}

/** `Deprecation` in Unix seconds and `Sunset` as an HTTP date (RFC 9745, RFC 8594). */
function deprecationOf({ "x-deprecation": dates }: DocumentOperation<string>): ContractOperation["deprecation"] {
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
