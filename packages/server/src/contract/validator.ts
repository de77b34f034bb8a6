import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { Fault } from "../domain/errors.ts";
import type { Document, JsonSchema } from "./document.ts";
import { faultsOf } from "./faults.ts";
import { createAjv } from "./schemas.ts";

/** Finds the faults of a value, and fills in its defaults. */
export type Validate = (value: unknown) => Fault[];
export type CompileValidator = (schema: JsonSchema, place: Fault["in"]) => Validate;

/** Above this number of values only the first fault of a body is named, so that collecting them stays cheap. */
const maxValues = 5_000;

/** Compiles validators of the contract's schemas, each when it is first used. */
export function validatorCompiler(document: Document): CompileValidator {
  const firstError = createAjv(document, { allErrors: false });
  const allErrors = createAjv(document, { allErrors: true });
  return (schema, place) => {
    let first: ValidateFunction | undefined;
    let all: ValidateFunction | undefined;
    return (value) => {
      first ??= firstError.compile(schema);
      if (first(value)) return [];
      if (countValues(value) > maxValues) return faultsOf(first.errors as ErrorObject[], place);
      all ??= allErrors.compile(schema);
      all(value);
      return faultsOf(all.errors as ErrorObject[], place);
    };
  };
}

/** Number of values in a parsed body. Without recursion: a body may be nested as deep as it is long. */
function countValues(root: unknown): number {
  const open = [root];
  let count = 0;
  for (let value = open.pop(); value !== undefined && count <= maxValues; value = open.pop()) {
    count += 1;
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) open.push(inner ?? null);
  }
  return count;
}
