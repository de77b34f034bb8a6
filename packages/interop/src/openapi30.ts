type Json = { [key: string]: unknown };

/**
 * The contract as OpenAPI 3.0.3, for tools that know no later version, such as oapi-codegen: `null` beside another type
 * becomes `nullable`, and lists of examples become one example.
 */
export function toOpenApi30(document: Json): Json {
  return { ...(convert(document) as Json), openapi: "3.0.3" };
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== "object" || value === null) return value;
  const {
    anyOf,
    examples,
    summary: _summary,
    ...rest
  } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === "example" ? inner : convert(inner)]),
  );
  const example = Array.isArray(examples) ? { example: examples[0] } : examples === undefined ? {} : { examples };
  // Of an operation, not of `info`, which has none in 3.0.
  const summary = "operationId" in rest && { summary: _summary };
  const kept = { ...rest, ...example, ...summary };
  if ("identifier" in kept) delete (kept as Json).identifier;
  if (!Array.isArray(anyOf)) return kept;
  const types = (anyOf as Json[]).filter(({ type }) => type !== "null");
  const nullable = types.length < anyOf.length ? { nullable: true } : {};
  return types.length === 1 ? { ...kept, ...nullable, allOf: types } : { ...kept, ...nullable, anyOf: types };
}
