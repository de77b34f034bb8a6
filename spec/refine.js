import { isDeepStrictEqual } from "node:util";

/**
 * Says in the document what the emitter cannot: each error and each standard header once, under components,
 * `x-links` as the links of the answers they lead from, and one example for all media types of a body.
 */
export function refine(document) {
  document.components.responses = {};
  document.components.headers = {};
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) refineOperation(document, operation);
  }
  for (const parameter of Object.values(document.components.parameters)) refineParameter(parameter);
  return document;
}

function refineOperation({ components }, operation) {
  for (const parameter of operation.parameters ?? []) refineParameter(parameter);
  for (const [status, response] of Object.entries(operation.responses)) {
    for (const [name, header] of Object.entries(response.headers)) {
      if (!name.startsWith("X-")) continue;
      response.headers[name] = share(components, "headers", name.replaceAll("-", ""), header);
    }
    if (Number(status) < 400) continue;
    const name = response.content["application/json"].schema.$ref.split("/").at(-1);
    operation.responses[status] = share(components, "responses", name, response);
  }
  for (const { status, operationId, parameter, from } of operation["x-links"] ?? []) {
    const response = operation.responses[status];
    response.links ??= {};
    response.links[operationId] = { operationId, parameters: { [parameter]: `$response.body#${from}` } };
  }
  delete operation["x-links"];
  const bodies = Object.values(operation.requestBody?.content ?? {});
  for (const body of bodies) body.example ??= bodies[0].example;
}

/** Moves a value under `components`, and answers the reference that stands in its place. */
function share(components, kind, name, value) {
  components[kind][name] ??= value;
  if (!isDeepStrictEqual(components[kind][name], value)) {
    throw new Error(`Two different ${kind} are called ${name}. Give one of them another name.`);
  }
  return { $ref: `#/components/${kind}/${name}` };
}

/** `explode` means nothing where no parameter is a list, and a parameter's clauses need not stand in its schema too. */
function refineParameter(parameter) {
  if (parameter.$ref) return;
  delete parameter.explode;
  delete parameter.schema["x-clauses"];
}
