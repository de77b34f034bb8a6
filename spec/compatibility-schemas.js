import { isDeepStrictEqual } from "node:util";

// Keywords that say something to people alone.
const annotations = ["description", "title", "example", "examples", "deprecated", "$comment", "externalDocs"];
// Keywords with rules of their own below; any other one may not change at all.
const judged = ["$ref", "type", "enum", "const", "required", "properties", "additionalProperties", "items"];
const alternatives = ["anyOf", "oneOf"];
const most = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const least = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
// Keywords that a schema is the stricter for.
const strict = ["pattern", "format", "multipleOf", "uniqueItems", "x-well-formed", "x-ordered"];
const known = [...annotations, ...judged, ...alternatives, ...most, ...least, ...strict, "x-clauses"];

/**
 * Adds what breaks when a schema changes. A request may only become wider, or values that were taken are refused; a
 * response may only become narrower, or values come that were not foreseen, save more values of an enum.
 */
export function schemaBreaks(pair, before, after, direction, where) {
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
        const trial = { ...pair, breaks: [] };
        schemaBreaks(trial, first, second, direction, where);
        return trial.breaks;
      });
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

/** A schema without its reference; what stands beside a reference is said as well. */
function flatten(document, schema) {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...flatten(document, resolve(document, { $ref })), ...beside };
}

function isAlternative(schema) {
  return alternatives.some((key) => schema[key]);
}

function choicesOf(schema) {
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

function typesOf({ type }) {
  return type === undefined ? undefined : [type].flat();
}

function typeBreaks(narrow, wide, where, breaks) {
  const taken = typesOf(wide);
  if (taken === undefined) return;
  const given = typesOf(narrow);
  const fits = (type) => taken.includes(type) || (type === "integer" && taken.includes("number"));
  if (!given?.every(fits)) breaks.push(`${where} has another type`);
}

function valuesOf(schema) {
  return Object.hasOwn(schema, "const") ? [schema.const] : schema.enum;
}

function requestEnumBreaks(old, now, where, breaks) {
  const taken = valuesOf(now);
  if (taken === undefined) return;
  const given = valuesOf(old);
  if (!given) breaks.push(`${where} takes only some values`);
  else for (const value of given) if (!taken.includes(value)) breaks.push(`${where} no longer takes ${value}`);
}

/** A value that is no longer answered hurts nobody, and a new one is growth, but a set must not be exchanged for another. */
function responseEnumBreaks(old, now, where, breaks) {
  const foreseen = valuesOf(old);
  if (foreseen === undefined) return;
  const given = valuesOf(now);
  if (!given) breaks.push(`${where} is no longer one of some values`);
  else if (!given.some((value) => foreseen.includes(value))) breaks.push(`${where} has none of its values any more`);
}

/** What the narrow schema admits, the wide one must admit too. */
function boundBreaks(narrow, wide, where, breaks) {
  for (const key of most) {
    if (wide[key] !== undefined && !(narrow[key] <= wide[key])) breaks.push(`${where} has another ${key}`);
  }
  for (const key of least) {
    if (wide[key] !== undefined && !(narrow[key] >= wide[key])) breaks.push(`${where} has another ${key}`);
  }
  for (const key of strict) {
    const isFree = wide[key] === undefined || wide[key] === false;
    if (!isFree && !isDeepStrictEqual(narrow[key], wide[key])) breaks.push(`${where} has another ${key}`);
  }
}

function fieldBreaks(pair, old, now, direction, where) {
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

/** Whether fields that are not described were taken, and now are refused or bound. */
function closes(before = true, after = true) {
  return after !== true && !isDeepStrictEqual(before, after);
}

/** What a local reference stands for. */
export function resolve(document, value) {
  if (value?.$ref === undefined) return value;
  const [, ...keys] = value.$ref.split("/");
  let found = document;
  for (const key of keys) found = found?.[key];
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return resolve(document, found);
}
