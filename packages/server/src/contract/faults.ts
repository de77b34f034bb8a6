import type { ErrorObject } from "ajv/dist/2020.js";
import type { Fault } from "../domain/errors.ts";

/** ajv's errors as faults that a person can act on, one for each cause (C-ERR-1). */
export function faultsOf(errors: readonly ErrorObject[], place: Fault["in"]): Fault[] {
  const faults = new Map<string, Fault>();
  for (const error of errors) {
    if (isEcho(error, errors) || isConsequence(error, errors)) continue;
    const pointer = pointerOf(error);
    const at = place === "body" ? pointer : pointer.slice(1).replaceAll("~1", "/").replaceAll("~0", "~");
    const nullable =
      error.keyword === "type" &&
      errors.some((other) => isNullBranch(other) && other.instancePath === error.instancePath);
    const message = messageOf(error, place) + (nullable ? " or null" : "");
    faults.set(`${at} ${message}`, { in: place, at, message });
  }
  return [...faults.values()];
}

function isNullBranch(error: ErrorObject): boolean {
  return error.keyword === "type" && error.params.type === "null";
}

/** Whether an error of a nullable value only repeats another error of the same place. */
function isEcho(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  if (error.keyword !== "anyOf" && !isNullBranch(error)) return false;
  return errors.some(
    (other) =>
      other.keyword !== "anyOf" &&
      !isNullBranch(other) &&
      `${other.instancePath}/`.startsWith(`${error.instancePath}/`),
  );
}

/** Whether another error has the same cause: a value of the wrong type is not in an enum either. */
function isConsequence({ keyword, instancePath }: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const cause = { type: "enum", pattern: "minLength", "x-visible": "minLength", enum: "pattern" }[keyword];
  return cause !== undefined && errors.some((other) => other.keyword === cause && other.instancePath === instancePath);
}

/** The place of an error. For a missing or unknown field it is the place of that field. */
function pointerOf({ instancePath, params }: ErrorObject): string {
  const field: unknown = params.missingProperty ?? params.additionalProperty;
  if (typeof field !== "string") return instancePath;
  return `${instancePath}/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function messageOf(error: ErrorObject, place: Fault["in"]): string {
  const { keyword, params, parentSchema } = error;
  const plural = (number: number, noun: string) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  switch (keyword) {
    case "required":
      return "is required";
    case "additionalProperties":
      return place === "query" ? "is not a query parameter of this operation" : "is not a field that can be sent here";
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).join(", ")}`;
    case "const":
      return `must be ${String(params.allowedValue)}`;
    case "type":
      return `must be ${article(String(params.type))}`;
    case "minLength":
      return `must have at least ${plural(params.limit, "character")}`;
    case "maxLength":
      return `must have at most ${plural(params.limit, "character")}`;
    case "maxItems":
      return `must have at most ${plural(params.limit, "item")}`;
    case "minimum":
      return `must be at least ${params.limit}`;
    case "maximum":
      return `must be at most ${params.limit.toLocaleString("en")}`;
    case "uniqueItems":
      return "must not have an item twice";
    case "pattern":
      return String(parentSchema?.["x-pattern-message"] ?? "has characters that are not allowed");
    default:
      return error.message ?? "does not match the contract";
  }
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
