import type { SchemaValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Document, JsonSchema } from "./document.ts";
import { webUrlFault } from "./web-url.ts";

/** An ajv with the contract's own keywords and its components, by name. */
export function createAjv(
  document: Pick<Document, "components">,
  { allErrors }: { readonly allErrors: boolean },
): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    useDefaults: true,
    verbose: allErrors,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
  });
  addFormats.default(ajv);
  ajv.addVocabulary(["x-clauses", "x-pattern-message", "example"]);
  ajv.addKeyword({
    keyword: "x-well-formed",
    type: "string",
    error: { message: "must be well-formed Unicode, without lone surrogates" },
    validate: (wanted: boolean, text: string) => !wanted || text.isWellFormed(),
  });
  ajv.addKeyword({
    keyword: "x-visible",
    type: "string",
    error: { message: "must have a visible character" },
    validate: (wanted: boolean, text: string) => !wanted || visible.test(text),
  });
  ajv.addKeyword({ keyword: "x-web-url", type: "string", validate: validateWebUrl });
  ajv.addKeyword({
    keyword: "x-ordered",
    type: "object",
    error: { message: ({ schema }) => `must have ${schema[0]} at most ${schema[1]}` },
    validate: ([low, high]: [string, string], value: Record<string, unknown>) => {
      const [least, most] = [value[low], value[high]];
      return typeof least !== "number" || typeof most !== "number" || least <= most;
    },
  });
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    ajv.addSchema(localSchema(schema as JsonSchema), name);
  }
  return ajv;
}

// The Braille pattern without dots is a symbol to Unicode, and blank to the eye.
const visible = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const validateWebUrl: SchemaValidateFunction = (wanted: boolean, text: string) => {
  const message = wanted ? webUrlFault(text) : undefined;
  if (message !== undefined) validateWebUrl.errors = [{ keyword: "x-web-url", message, params: {} }];
  return message === undefined;
};

/** The schema with references to the names that `createAjv` uses. */
export function localSchema(schema: JsonSchema): JsonSchema {
  return withLocalReferences(schema) as JsonSchema;
}

function withLocalReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLocalReferences);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" ? String(inner).replace("#/components/schemas/", "") : withLocalReferences(inner),
    ]),
  );
}
