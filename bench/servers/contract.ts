import { readFileSync } from "node:fs";
import { webUrlFault } from "@project-feedback/server/contract/web-url";
import { openapiUrl, type operations } from "@project-feedback/spec";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

/** The operations that are measured. */
export const operationIds = [
  "listProjects",
  "getProject",
  "listFeedback",
  "createProject",
  "createFeedback",
] as const satisfies (keyof operations)[];
export type OperationId = (typeof operationIds)[number];

export type JsonSchema = { readonly [keyword: string]: unknown };
interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: JsonSchema;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly JsonSchema[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Document extends JsonSchema {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

/** The inputs and outputs of an operation, as JSON Schema with references to `components` by their `$id`. */
export interface OperationSchemas {
  readonly querystring: JsonSchema;
  readonly headers: JsonSchema;
  readonly body?: JsonSchema;
  /** 2xx status → body. */
  readonly response: Readonly<Record<string, JsonSchema>>;
}

/** The whole contract. */
export const document = parse(readFileSync(openapiUrl, "utf8")) as Document;

/** The contract's component schemas; each has its name as `$id`. */
export const components: readonly JsonSchema[] = Object.entries(document.components.schemas ?? {}).map(
  ([$id, schema]) => ({ $id, ...relocate(schema) }),
);

/** The schemas of an operation. */
export function schemasOf(id: OperationId): OperationSchemas {
  const operation = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id);
  if (!operation) throw new Error(`The contract has no operation ${id}.`);
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  const successes = Object.entries(operation.responses).flatMap(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema;
    return schema && status.startsWith("2") ? [[status, relocate(schema)]] : [];
  });
  return {
    querystring: objectOf(operation, "query", false),
    headers: objectOf(operation, "header", true),
    ...(body && { body: relocate(body) }),
    response: Object.fromEntries(successes),
  };
}

function objectOf(operation: Operation, place: Parameter["in"], additionalProperties: boolean): JsonSchema {
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolve(parameter) as unknown as Parameter)
    .filter((parameter) => parameter.in === place && parameter.name !== "Content-Type");
  const nameOf = ({ name }: Parameter) => (place === "header" ? name.toLowerCase() : name);
  const properties = Object.fromEntries(parameters.map((parameter) => [nameOf(parameter), relocate(parameter.schema)]));
  const required = parameters.filter((parameter) => parameter.required).map(nameOf);
  return { type: "object", properties, required, additionalProperties };
}

/** An ajv with the contract's schemas and its keywords; it fills in defaults and removes nothing. */
export function contractAjv({ coerceTypes }: { readonly coerceTypes: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ coerceTypes, useDefaults: true, strictRequired: false, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addVocabulary(["x-clauses", "x-pattern-message", "x-visible", "example"]);
  ajv.addKeyword({
    keyword: "x-well-formed",
    type: "string",
    validate: (wanted: boolean, text: string) => !wanted || text.isWellFormed(),
  });
  ajv.addKeyword({
    keyword: "x-web-url",
    type: "string",
    validate: (wanted: boolean, text: string) => !wanted || webUrlFault(text) === undefined,
  });
  ajv.addKeyword({
    keyword: "x-ordered",
    type: "object",
    validate: ([low, high]: [string, string], value: Readonly<Record<string, unknown>>) => {
      const [least, most] = [value[low], value[high]];
      return typeof least !== "number" || typeof most !== "number" || least <= most;
    },
  });
  return ajv.addSchema([...components]);
}

const coercing = contractAjv({ coerceTypes: true });
const exact = contractAjv({ coerceTypes: false });

/** Compiles a schema for a part of a request: all parts but the body are text, and are coerced. */
export function compile(schema: JsonSchema, part: string | undefined): ValidateFunction {
  return (part === "body" ? exact : coercing).compile(schema);
}

/**
 * The components in the form that is fastest with fast-json-stringify: "this or null" as `nullable` instead of `anyOf`,
 * which it resolves by validating.
 */
export const serializable: readonly JsonSchema[] = components.map((schema) => toNullable(schema) as JsonSchema);

function toNullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toNullable);
  if (typeof value !== "object" || value === null) return value;
  const { anyOf, ...rest } = value as { anyOf?: readonly JsonSchema[] };
  const [some, none] = anyOf ?? [];
  if (some && none?.type === "null") {
    const { $id: _id, ...inner } = components.find(({ $id }) => some.$ref === `${$id}#`) ?? some;
    return toNullable({ ...rest, ...inner, nullable: true });
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toNullable(inner)]));
}

/** The same schema, with references to components by their `$id`. */
function relocate(value: JsonSchema): JsonSchema {
  const text = JSON.stringify(value);
  return JSON.parse(text.replace(/"#\/components\/schemas\/(\w+)"/g, '"$1#"')) as JsonSchema;
}

function resolve(value: JsonSchema): JsonSchema {
  if (typeof value.$ref !== "string") return value;
  const [, , kind = "", name = ""] = value.$ref.split("/");
  return resolve(document.components[kind]?.[name] ?? {});
}
