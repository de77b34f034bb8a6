import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { Fault } from "../domain/errors.ts";
import type { Document, JsonSchema } from "./document.ts";
import { faultsOf } from "./faults.ts";
import { createAjv } from "./schemas.ts";

/** Finds the faults of a value and sets its defaults. */
export type Validate = (value: unknown) => Fault[];
export type CompileValidator = (schema: JsonSchema, place: Fault["in"]) => Validate;

/** In a body with more values only the first fault is listed: collecting all of them could take too long. */
const maxValues = 5_000;

/** Creates validators of the contract's schemas. Each is compiled when it is first used. */
export function validatorCompiler(document: Pick<Document, "components">): CompileValidator {
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

/** Number of values in a parsed body. Without recursion, because a body may be nested as deep as it is long. */
function countValues(root: unknown): number {
  const open = [root];
  let count = 0;
  for (let value = open.pop(); value !== undefined && count <= maxValues; value = open.pop()) {
    count += 1;
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) open.push(inner ?? null);
  }
  return count;
}
