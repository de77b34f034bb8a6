import { readFileSync } from "node:fs";
import { openapiJsonUrl, type operations } from "@project-feedback/spec";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { faultsOf } from "./contract-faults.ts";
import type { Fault } from "./errors.ts";

export type OperationId = keyof operations;

type JsonSchema = { [keyword: string]: unknown };
interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: JsonSchema;
}
interface Document {
  readonly paths: Record<string, Record<string, DocumentOperation>>;
  readonly components: Record<string, Record<string, unknown>>;
}
interface DocumentOperation {
  readonly operationId: OperationId;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> };
  readonly responses: Record<string, unknown>;
  readonly deprecated?: boolean;
  readonly "x-deprecation"?: { readonly since: string; readonly sunset: string };
}
interface Response {
  readonly headers?: Record<string, { readonly required?: boolean; readonly schema: JsonSchema } | { $ref: string }>;
  readonly content?: Record<string, { readonly schema: JsonSchema }>;
}

/** What one response of an operation is held against. */
interface ResponseValidators {
  readonly headers: readonly { name: string; required: boolean; isInteger: boolean; validate: ValidateFunction }[];
  readonly body: ValidateFunction | undefined;
}

/** One operation of the contract, with validators for what goes in and what comes out. */
export interface ContractOperation {
  readonly id: OperationId;
  readonly method: "get" | "post" | "patch" | "delete";
  /** Path below the base address, such as `/projects/{id}`. */
  readonly path: string;
  /** Names of the query parameters. */
  readonly queryNames: ReadonlySet<string>;
  /** Names of those that are integers. */
  readonly integerNames: ReadonlySet<string>;
  /** Media types of the body; empty where there is none. */
  readonly mediaTypes: readonly string[];
  /** Header names, in lower case, that the contract describes. */
  readonly headerNames: readonly string[];
  /** Since when it is deprecated and when it goes, in Unix seconds and as an HTTP date (C-VER-1). */
  readonly deprecation: { readonly deprecation: string; readonly sunset: string } | undefined;
  /** Faults of the query, in which defaults are filled in. */
  checkQuery(query: Record<string, unknown>): Fault[];
  /** Faults of the described headers. */
  checkHeaders(headers: Record<string, unknown>): Fault[];
  /** Faults of the body, in which defaults are filled in. */
  checkBody(body: unknown): Fault[];
  /** What is wrong with a response, as sentences; for tests. */
  checkResponse(status: number, headers: Readonly<Record<string, unknown>>, body: unknown): string[];
}

export interface Contract {
  /** The OpenAPI document, as JSON text. */
  readonly json: string;
  readonly operations: ReadonlyMap<OperationId, ContractOperation>;
}

// Past this many values a body's faults are not collected: the first one is told.
const manyValues = 5_000;

/** Reads the contract and compiles its validators, each when it is first needed. */
export function loadContract(source: URL = openapiJsonUrl): Contract {
  const json = readFileSync(source, "utf8");
  const document = JSON.parse(json) as Document;
  const quick = validatorsOf(document, false);
  const thorough = validatorsOf(document, true);
  const compile = (schema: JsonSchema, place: Fault["in"]) => {
    let first: ValidateFunction | undefined;
    let all: ValidateFunction | undefined;
    return (value: unknown): Fault[] => {
      first ??= quick.compile(schema);
      if (first(value)) return [];
      if (countValues(value) > manyValues) return faultsOf(first.errors as ErrorObject[], place);
      all ??= thorough.compile(schema);
      all(value);
      return faultsOf(all.errors as ErrorObject[], place);
    };
  };
  const resolve = <Value>(value: unknown): Value => resolveIn(document, value) as Value;

  const operations = new Map<OperationId, ContractOperation>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(parameter));
      const query = parameters.filter((parameter) => parameter.in === "query");
      const headers = parameters
        .filter((parameter) => parameter.in === "header" && parameter.name.toLowerCase() !== "content-type")
        .map((parameter) => ({ ...parameter, name: parameter.name.toLowerCase() }));
      const content = operation.requestBody?.content ?? {};
      const body = Object.values(content)[0]?.schema;
      const deprecation = operation["x-deprecation"];
      operations.set(operation.operationId, {
        id: operation.operationId,
        method: method as ContractOperation["method"],
        path,
        queryNames: new Set(query.map(({ name }) => name)),
        integerNames: new Set(
          query.flatMap(({ name, schema }) => (resolve<JsonSchema>(schema).type === "integer" ? [name] : [])),
        ),
        mediaTypes: Object.keys(content),
        headerNames: headers.map(({ name }) => name),
        deprecation: deprecation && {
          deprecation: `@${Math.floor(Date.parse(deprecation.since) / 1_000)}`,
          sunset: new Date(deprecation.sunset).toUTCString(),
        },
        checkQuery: compile(objectOf(query), "query"),
        checkHeaders: compile({ ...objectOf(headers), additionalProperties: true }, "header"),
        checkBody: body ? compile(relocate(body) as JsonSchema, "body") : () => [],
        checkResponse: responseCheck(operation, thorough, resolve),
      });
    }
  }
  return { json, operations };
}

function objectOf(parameters: readonly Parameter[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, relocate(schema)])),
    required: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
    additionalProperties: false,
  };
}

/** An ajv that knows every component by an id of its own. */
function validatorsOf(document: Document, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    useDefaults: true,
    verbose: allErrors,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
  });
  addFormats.default(ajv);
  ajv.addVocabulary(["x-clauses", "example"]);
  ajv.addKeyword({
    keyword: "x-well-formed",
    type: "string",
    error: { message: "must be well-formed Unicode, without lone surrogates" },
    validate: (wanted: boolean, text: string) => !wanted || text.isWellFormed(),
  });
  ajv.addKeyword({
    keyword: "x-ordered",
    type: "object",
    error: { message: ({ schema }) => `must have ${schema[0]} no greater than ${schema[1]}` },
    validate: ([low, high]: [string, string], value: Record<string, unknown>) => {
      const [least, most] = [value[low], value[high]];
      return typeof least !== "number" || typeof most !== "number" || least <= most;
    },
  });
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    ajv.addSchema(relocate(schema) as JsonSchema, name);
  }
  return ajv;
}

/** The same schema, with references to components by those ids. */
function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" ? String(inner).replace("#/components/schemas/", "") : relocate(inner),
    ]),
  );
}

function resolveIn(document: Document, value: unknown): unknown {
  const reference = (value as { $ref?: string }).$ref;
  if (reference === undefined) return value;
  const [, , kind = "", name = ""] = reference.split("/");
  return resolveIn(document, document.components[kind]?.[name]);
}

/** Number of values in a parsed body, without recursion: a body may be nested as deep as it is long. */
function countValues(root: unknown): number {
  const open = [root];
  let count = 0;
  for (let value = open.pop(); value !== undefined && count <= manyValues; value = open.pop()) {
    count += 1;
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) open.push(inner ?? null);
  }
  return count;
}

function responseCheck(
  operation: DocumentOperation,
  ajv: Ajv2020,
  resolve: <Value>(value: unknown) => Value,
): ContractOperation["checkResponse"] {
  const compiled = new Map<number, ResponseValidators>();
  const validatorsFor = (status: number, described: unknown): ResponseValidators => {
    const response = resolve<Response>(described);
    const headers = Object.entries(response.headers ?? {}).map(([name, entry]) => {
      const { required = false, schema } = resolve<{ required?: boolean; schema: JsonSchema }>(entry);
      const isInteger = schema.type === "integer";
      return { name, required, isInteger, validate: ajv.compile(relocate(schema) as JsonSchema) };
    });
    const schema = response.content?.["application/json"]?.schema;
    const validators = { headers, body: schema && ajv.compile(relocate(schema) as JsonSchema) };
    compiled.set(status, validators);
    return validators;
  };
  return (status, headers, body) => {
    const described = operation.responses[status];
    const name = `${operation.operationId} ${status}`;
    if (described === undefined) return [`${name} is not in the contract`];
    const validators = compiled.get(status) ?? validatorsFor(status, described);
    const problems: string[] = [];
    for (const { name: header, required, isInteger, validate } of validators.headers) {
      const value = headers[header.toLowerCase()];
      if (value === undefined && required) problems.push(`${name} lacks the header ${header}`);
      if (value === undefined) continue;
      if (!validate(isInteger ? Number(value) : value)) {
        problems.push(`${name}: header ${header} ${ajv.errorsText(validate.errors)}`);
      }
    }
    if (validators.body && !validators.body(body)) {
      problems.push(`${name}: ${ajv.errorsText(validators.body.errors)}`);
    }
    return problems;
  };
}
