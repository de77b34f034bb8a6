// Writes src/generated/models.ts and src/generated/enums.ts from the contract, here or in the folder given as argument.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openapiJsonUrl } from "@project-feedback/spec";

interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: string[];
  pattern?: string;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  default?: unknown;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description: string;
  required: boolean;
  schema: Schema;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

const { paths, components }: Contract = JSON.parse(readFileSync(openapiJsonUrl, "utf8"));
const nameOf = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);
const models = new Map<string, string>();
const enums = new Map<string, string>();

/** The type that stands for a schema. Adds the models that it refers to. */
function typeOf(schema: Schema): string {
  const { $ref, type, items, anyOf } = schema;
  if ($ref) {
    const name = nameOf($ref);
    const target = components.schemas[name];
    if (!target) throw new Error(`The contract has no schema ${name}.`);
    if (!target.properties && !target.enum) return typeOf(target);
    addModel(name, target);
    return name;
  }
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf) return unionOf(anyOf);
  if (items) return /[ |]/.test(typeOf(items)) ? `(${typeOf(items)})[]` : `${typeOf(items)}[]`;
  if (type === "integer") return "number";
  if (type === "string" || type === "boolean" || type === "null" || type === "number") return type;
  throw new Error(`The generator does not support ${JSON.stringify(schema)}. Extend typeOf.`);
}

/**
 * The type of alternatives. An enum beside any text is the enum: a newer server may return other values, but those of a
 * response can be sent again. An enum beside a text with a pattern takes several values, separated by commas.
 */
function unionOf(alternatives: Schema[]): string {
  const [values, text] = alternatives.map((each) => (each.$ref ? components.schemas[nameOf(each.$ref)] : each));
  if (!values?.enum || text?.type !== "string" || text.enum) return alternatives.map(typeOf).join(" | ");
  const name = typeOf(alternatives[0] ?? {});
  return text.pattern ? `${name} | \`\${${name}},\${string}\`` : name;
}

const comment = (text: string, indent = "") => {
  const lines = text.split("\n");
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
};

/** A field. Input fields that are optional also accept undefined. */
function fieldOf(name: string, schema: Schema, isRequired: boolean): string {
  const { description = "", default: value } = schema;
  const text = value === undefined ? description : `${description} Default: ${JSON.stringify(value)}.`;
  return `${comment(text, "  ")}  ${name}${isRequired ? "" : "?"}: ${typeOf(schema)}${isRequired ? "" : " | undefined"};\n`;
}

function addModel(name: string, schema: Schema): void {
  if (models.has(name)) return;
  models.set(name, "");
  const head = comment(schema.description ?? name);
  if (schema.enum) {
    models.set(name, `${head}export type ${name} = ${typeOf(schema)};\n`);
    enums.set(name, JSON.stringify(schema.enum));
    return;
  }
  const fields = Object.entries(schema.properties ?? {}).map(([field, value]) =>
    fieldOf(field, value, schema.required?.includes(field) ?? false),
  );
  models.set(name, `${head}export interface ${name} {\n${fields.join("")}}\n`);
}

/** The query of a list is named after its operation: listProjects has ProjectQuery. */
function addQuery(operationId: string, parameters: Parameter[]): void {
  const name = operationId.replace(/^list/, "").replace(/s$/, "");
  const fields = parameters.map(({ name, description, schema, required }) =>
    fieldOf(name, { ...schema, description }, required),
  );
  const words = name.replaceAll(/\B(?=[A-Z])/g, " ").toLowerCase();
  const head = comment(`Filters, order and paging of a list of ${words} records.`);
  models.set(`${name}Query`, `${head}export interface ${name}Query {\n${fields.join("")}}\n`);
}

for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
  for (const [status, { content }] of Object.entries(operation.responses)) {
    const schema = content?.["application/json"]?.schema;
    if (Number(status) > 299 || !schema) continue;
    typeOf(schema);
    const query = (operation.parameters ?? [])
      .map((parameter) => (parameter.$ref ? components.parameters[nameOf(parameter.$ref)] : parameter))
      .filter((parameter) => parameter?.in === "query") as Parameter[];
    if (query.length) addQuery(operation.operationId, query);
  }
  const body = operation.requestBody?.content["application/json"]?.schema;
  if (body) typeOf(body);
}
for (const name of ["Fault", "ErrorCode"]) typeOf({ $ref: `#/components/schemas/${name}` });

const plural = (name: string) => `${name[0]?.toLowerCase()}${name.slice(1).replace(/y$/, "ie").replace(/s$/, "se")}s`;
const head = "// Generated from the contract by `pnpm generate`. Do not edit.\n";
const sorted = (entries: Map<string, string>) => [...entries].sort(([left], [right]) => (left < right ? -1 : 1));
const folder = process.argv[2] ?? join(import.meta.dirname, "src/generated");
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, "models.ts"),
  `${head}\n${sorted(models)
    .map(([, source]) => source)
    .join("\n")}`,
);
writeFileSync(
  join(folder, "enums.ts"),
  `${head}import type { ${sorted(enums)
    .map(([name]) => name)
    .join(", ")} } from "./models.ts";\n${sorted(enums)
    .map(
      ([name, values]) =>
        `\n/** The values of ${name}. */\nexport const ${plural(name)} = ${values} as const satisfies readonly ${name}[];\n`,
    )
    .join("")}`,
);
