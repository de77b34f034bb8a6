import type { Components, Document, Header, Operation, Parameter, Schema } from "./document.ts";

/** Examples that the operations of a document do not have. */
export interface DocumentExamples {
  /** Of parameters, by their names. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Of response headers, by their names. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** The message and the code of each error, by its schema. */
  readonly errors: Readonly<Record<string, { message: string; code?: string; details?: unknown[] }>>;
  /** Of properties, such as `Project.title`. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Of the header `Location`, by operation, where it is not that of `headers`. */
  readonly locations: Readonly<Record<string, string>>;
}

/**
 * Adds examples to every parameter, header, error and property, so that mocks and collections made of the contract are
 * useful as they are. Properties get theirs from the examples of the operations.
 */
export function addExamples(document: Document, examples: DocumentExamples): void {
  const { components } = document;
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    addToOperation(components, operation, examples);
  }
  for (const parameter of Object.values(components.parameters)) addToParameter(components, parameter, examples);
  for (const header of Object.entries(components.headers)) addToHeader(header, examples);
  for (const [name, response] of Object.entries(components.responses)) {
    for (const header of Object.entries(response.headers ?? {})) addToHeader(header as [string, Header], examples);
    const content = response.content?.["application/json"];
    const phrase = components.schemas[name]?.properties?.error?.enum?.[0];
    if (content) content.example = { error: phrase, ...examples.errors[name] };
    spread(components, { $ref: `#/components/schemas/${name}` }, content?.example);
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    for (const [property, each] of Object.entries(schema.properties ?? {})) {
      const known = examples.properties[`${name}.${property}`] ?? similar(components, property);
      if (known !== undefined && !each.examples) each.examples = [known];
    }
  }
}

function addToOperation(components: Components, operation: Operation, examples: DocumentExamples): void {
  for (const parameter of operation.parameters ?? []) addToParameter(components, parameter as Parameter, examples);
  const { requestBody, responses } = operation;
  const bodies = [
    requestBody?.content,
    ...Object.values(responses).map((each) => ("content" in each ? each.content : {})),
  ];
  for (const { schema, example } of bodies.flatMap((content) => Object.values(content ?? {}))) {
    spread(components, schema, example);
  }
  for (const response of Object.values(responses)) {
    if (!("headers" in response)) continue;
    for (const header of Object.entries(response.headers ?? {})) addToHeader(header as [string, Header], examples);
    const location = examples.locations[operation.operationId];
    if (response.headers?.Location && location) (response.headers.Location as Header).example = location;
  }
}

function addToParameter({ schemas }: Components, parameter: Parameter, { parameters }: DocumentExamples): void {
  if ("$ref" in parameter || parameter.example !== undefined || parameter.examples) return;
  const target = firstChoice(schemas, parameter.schema);
  parameter.example = parameters[parameter.name] ?? parameter.schema.default ?? target?.enum?.[0];
}

/** The schema that is meant, of alternatives the first one. */
function firstChoice(schemas: Record<string, Schema>, schema: Schema): Schema | undefined {
  const target = schema.$ref ? schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
  const [first] = target?.anyOf ?? [];
  return first ? firstChoice(schemas, first) : target;
}

function addToHeader([name, header]: [string, Header], { headers }: DocumentExamples): void {
  if ("$ref" in header) return;
  const key = Object.keys(headers).find((each) => each === name || each.replaceAll("-", "") === name);
  if (key) header.example ??= headers[key];
}

/** Gives the properties of a schema the values of an example. */
function spread(components: Components, schema: Schema, example: unknown): void {
  if (example === null || example === undefined) return;
  if (schema.$ref) {
    const target = components.schemas[schema.$ref.split("/").at(-1) ?? ""];
    if (target) spread(components, target, example);
    return;
  }
  for (const each of schema.anyOf ?? []) spread(components, each, example);
  if (schema.items && Array.isArray(example)) for (const item of example) spread(components, schema.items, item);
  if (typeof example !== "object") return;
  for (const [name, value] of Object.entries(example)) {
    const property = schema.properties?.[name];
    if (!property || value === null) continue;
    property.examples ??= [value];
    spread(components, property, value);
  }
}

/** The example of a property of the same name in another schema. */
function similar({ schemas }: Components, name: string): unknown {
  for (const { properties } of Object.values(schemas)) {
    const examples = properties?.[name]?.examples;
    if (Array.isArray(examples)) return examples[0];
  }
  return undefined;
}
