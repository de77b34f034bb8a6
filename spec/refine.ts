import { isDeepStrictEqual } from "node:util";
import type { Components, Document, Operation, Parameter, Reference, Response } from "./document.ts";
import { addExamples, type DocumentExamples } from "./examples.ts";

/**
 * Completes the emitted document where TypeSpec's emitter has no way to: each error response and each standard header
 * stands once, under components; `x-links` become links of the responses; a body that is sent as a JSON merge patch has
 * the schema that `x-merge-patch` names; all media types of a body share an example.
 */
export function refine(document: Document, examples: DocumentExamples): Document {
  document.components.responses = {};
  document.components.headers = {};
  document.components.parameters ??= {};
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) refineOperation(document, operation);
  }
  for (const parameter of Object.values(document.components.parameters)) refineParameter(parameter);
  removeUnused(document);
  addExamples(document, examples);
  return document;
}

/** Headers that every response has, or may have. */
const standardHeader = /^(X-|RateLimit|Idempotency-Replayed$)/;

/** Removes schemas that nothing refers to, such as the bases of others, which the emitter copies into each of them. */
function removeUnused(document: Document): void {
  const { schemas } = document.components;
  for (;;) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    if (unused.length === 0) return;
    for (const name of unused) delete schemas[name];
  }
}

function refineOperation({ components }: Document, operation: Operation): void {
  for (const parameter of operation.parameters ?? []) refineParameter(parameter);
  const responses = operation.responses as Record<string, Response>;
  for (const [status, response] of Object.entries(responses)) {
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      if (!standardHeader.test(name) || !response.headers) continue;
      response.headers[name] = share(components, "headers", name.replaceAll("-", ""), header);
    }
    if (Number(status) < 400) continue;
    const name = response.content?.["application/json"]?.schema.$ref?.split("/").at(-1);
    if (name === undefined) throw new Error(`${operation.operationId} ${status} has no named schema.`);
    operation.responses[status] = share(components, "responses", name, response);
  }
  for (const { status, operationId, parameter, from } of operation["x-links"] ?? []) {
    const response = responses[status];
    if (!response) throw new Error(`${operation.operationId} has no response ${status} to link from.`);
    response.links ??= {};
    response.links[operationId] = { operationId, parameters: { [parameter]: `$response.body#${from}` } };
  }
  delete operation["x-links"];
  const mergePatch = operation.requestBody?.content["application/merge-patch+json"];
  if (mergePatch) mergePatch.schema = { $ref: `#/components/schemas/${operation["x-merge-patch"]}` };
  delete operation["x-merge-patch"];
  const bodies = Object.values(operation.requestBody?.content ?? {});
  for (const body of bodies) body.example ??= bodies[0]?.example;
}

/** Moves a value under `components`. Returns the reference that takes its place. */
function share<Kind extends "headers" | "responses">(
  components: Components,
  kind: Kind,
  name: string,
  value: Components[Kind][string] | Reference,
): Reference {
  const shared: Record<string, unknown> = components[kind];
  shared[name] ??= value;
  if (!isDeepStrictEqual(shared[name], value)) {
    throw new Error(`Two different ${kind} are called ${name}. Give one of them another name.`);
  }
  return { $ref: `#/components/${kind}/${name}` };
}

/** Removes `explode`, which has no effect on a parameter that is no list, and the clauses repeated in the schema. */
function refineParameter(parameter: Parameter | Reference): void {
  if ("$ref" in parameter) return;
  delete parameter.explode;
  delete parameter.schema["x-clauses"];
}
