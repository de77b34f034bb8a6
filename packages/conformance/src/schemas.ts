import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** A validator of one of the published schemas. */
export function schemaOf<T>(name: "configuration" | "report"): ValidateFunction<T> {
  const file = new URL(`../schema/${name}.schema.json`, import.meta.url);
  return new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile<T>(
    JSON.parse(readFileSync(file, "utf8")),
  );
}

/** The first few things that are wrong, each with its place. */
export function complaints({ errors }: ValidateFunction): string[] {
  const said = (errors ?? []).map(({ instancePath, message, params }) => {
    const extra = "additionalProperty" in params ? ` "${params.additionalProperty}"` : "";
    const allowed = "allowedValues" in params ? `: ${(params.allowedValues as unknown[]).join(", ")}` : "";
    return `${instancePath || "the whole"} ${message}${extra}${allowed}`;
  });
  return [...new Set(said)].slice(0, 10);
}
