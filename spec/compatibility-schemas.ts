import { isDeepStrictEqual } from "node:util";
import { type Document, resolve, type Schema } from "./document.ts";

/** Two versions of a contract, and the breaks found so far between them. */
export interface Pair {
  readonly before: Document;
  readonly after: Document;
  readonly breaks: string[];
}

type Direction = "request" | "response";

// Keywords for human readers, without effect on what is valid.
const annotations = [
  "description",
  "title",
  "example",
  "examples",
  "deprecated",
  "$comment",
  "externalDocs",
  "x-pattern-message",
];
// Keywords with their own rules below. A keyword in none of these lists may not change.
const ruled = ["$ref", "type", "enum", "const", "required", "properties", "additionalProperties", "items"];
const alternatives = ["anyOf", "oneOf"];
const most = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const least = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
// Keywords that make a schema stricter.
const strict = [
  "pattern",
  "format",
  "multipleOf",
  "uniqueItems",
  "x-well-formed",
  "x-visible",
  "x-ordered",
  "x-web-url",
];
const known = [...annotations, ...ruled, ...alternatives, ...most, ...least, ...strict, "x-clauses"];

/**
 * Adds the breaks of a changed schema to `pair.breaks`. A request schema may only become wider, so that every value
 * accepted before is accepted now. A response schema may only become narrower, except for new values of an enum.
 */
export function schemaBreaks(pair: Pair, before: Schema, after: Schema, direction: Direction, where: string): void {
  const { breaks } = pair;
  const old = flatten(pair.before, before);
  const now = flatten(pair.after, after);
  const [narrow, wide] = direction === "request" ? [old, now] : [now, old];
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const same = isDeepStrictEqual(old[key], now[key]);
    if (!same && !known.includes(key)) breaks.push(`${where} has another ${key}`);
  }
  if (isAlternative(narrow) || isAlternative(wide)) {
    for (const each of choicesOf(narrow)) {
      const attempts = choicesOf(wide).map((other) => {
        const [first, second] = direction === "request" ? [each, other] : [other, each];
        const trial: Pair = { ...pair, breaks: [] };
        schemaBreaks(trial, first, second, direction, where);
        return trial.breaks;
      });
      // Text beside the values of an enum says that values can be added, which is growth (C-VER-1).
      if (direction === "response" && isOpening(old, each)) continue;
      breaks.push(...attempts.reduce((best, next) => (next.length < best.length ? next : best)));
    }
    return;
  }
  typeBreaks(narrow, wide, where, breaks);
  if (direction === "request") requestEnumBreaks(old, now, where, breaks);
  else responseEnumBreaks(old, now, where, breaks);
  boundBreaks(narrow, wide, where, breaks);
  fieldBreaks(pair, old, now, direction, where);
  if (old.items && now.items) schemaBreaks(pair, old.items, now.items, direction, `${where}/*`);
  else if (direction === "request" ? now.items : old.items) breaks.push(`${where} has other items`);
}

/** The schema with its reference resolved; keywords beside the reference take precedence. */
function flatten(document: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...flatten(document, resolve<Schema>(document, { $ref })), ...beside };
}

/** Whether an alternative of a response only opens an enum. */
function isOpening(old: Schema, { type, ...rest }: Schema): boolean {
  return valuesOf(old) !== undefined && type === "string" && Object.keys(rest).length === 0;
}

function isAlternative(schema: Schema): boolean {
  return alternatives.some((key) => schema[key]);
}

function choicesOf(schema: Schema): Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

function typesOf({ type }: Schema): string[] | undefined {
  return type === undefined ? undefined : [type].flat();
}

function typeBreaks(narrow: Schema, wide: Schema, where: string, breaks: string[]): void {
  const taken = typesOf(wide);
  if (taken === undefined) return;
  const given = typesOf(narrow);
  const fits = (type: string) => taken.includes(type) || (type === "integer" && taken.includes("number"));
  if (!given?.every(fits)) breaks.push(`${where} has another type`);
}

function valuesOf(schema: Schema): unknown[] | undefined {
  return Object.hasOwn(schema, "const") ? [schema.const] : schema.enum;
}

function requestEnumBreaks(old: Schema, now: Schema, where: string, breaks: string[]): void {
  const taken = valuesOf(now);
  if (taken === undefined) return;
  const given = valuesOf(old);
  if (!given) breaks.push(`${where} takes only some values`);
  else for (const value of given) if (!taken.includes(value)) breaks.push(`${where} no longer takes ${value}`);
}

/** Removing a value breaks no reader and adding one is growth, but at least one of the old values must remain. */
function responseEnumBreaks(old: Schema, now: Schema, where: string, breaks: string[]): void {
  const expected = valuesOf(old);
  if (expected === undefined) return;
  const given = valuesOf(now);
  if (!given) breaks.push(`${where} is no longer one of some values`);
  else if (!given.some((value) => expected.includes(value))) breaks.push(`${where} has none of its values any more`);
}

/** The wide schema must accept everything that the narrow one accepts. */
function boundBreaks(narrow: Schema, wide: Schema, where: string, breaks: string[]): void {
  const bound = (schema: Schema, key: string) => Number(schema[key]);
  for (const key of most) {
    if (wide[key] !== undefined && !(bound(narrow, key) <= bound(wide, key)))
      breaks.push(`${where} has another ${key}`);
  }
  for (const key of least) {
    if (wide[key] !== undefined && !(bound(narrow, key) >= bound(wide, key)))
      breaks.push(`${where} has another ${key}`);
  }
  for (const key of strict) {
    const isFree = wide[key] === undefined || wide[key] === false;
    if (!isFree && !isDeepStrictEqual(narrow[key], wide[key])) breaks.push(`${where} has another ${key}`);
  }
}

function fieldBreaks(pair: Pair, old: Schema, now: Schema, direction: Direction, where: string): void {
  const { breaks } = pair;
  const isRequest = direction === "request";
  const [given, needed] = isRequest ? [old, now] : [now, old];
  for (const name of needed.required ?? []) {
    if (given.required?.includes(name)) continue;
    breaks.push(`${where}/${name} ${isRequest ? "became required" : "is no longer required"}`);
  }
  for (const [name, field] of Object.entries(old.properties ?? {})) {
    const current = now.properties?.[name];
    if (current) schemaBreaks(pair, field, current, direction, `${where}/${name}`);
    else breaks.push(`${where}/${name} is gone`);
  }
  if (isRequest && closes(old.additionalProperties, now.additionalProperties)) {
    breaks.push(`${where} no longer takes fields that are not described`);
  }
}

/** Whether undescribed fields were accepted before and are rejected or restricted now. */
function closes(before: boolean | Schema = true, after: boolean | Schema = true): boolean {
  return after !== true && !isDeepStrictEqual(before, after);
}
