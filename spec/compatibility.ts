import { isDeepStrictEqual } from "node:util";
import { type Pair, schemaBreaks } from "./compatibility-schemas.ts";
import {
  type Document,
  type Header,
  type MediaType,
  type Operation,
  type Parameter,
  type Reference,
  type RequestBody,
  type Response,
  resolve,
} from "./document.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Finds the changes from `before` to `after` that break a client written for `before` (C-VER-1). Returns a sentence for
 * each, and none if the contract only grew.
 *
 * Growth is a new path, operation, optional parameter, optional request field, response field or header, a wider
 * request constraint, and a new value in an enum of a response, because clients must accept unknown values. A new error
 * status is growth too: clients treat an unknown status as the x00 of its class (RFC 9110, section 15), and all errors
 * have one shape. Every other change is a break, including one in a keyword without a rule here.
 *
 * No library is used: those we tried support only OpenAPI 3.0, or download a program when they are installed.
 */
export function breaksBetween(before: Document, after: Document): string[] {
  const breaks: string[] = [];
  const pair: Pair = { before, after, breaks };
  for (const [path, operations] of Object.entries(before.paths)) {
    for (const method of methods) {
      const old = operations[method];
      if (!old) continue;
      const where = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (now) operationBreaks(pair, old, now, where);
      else breaks.push(`${where} is gone`);
    }
  }
  return breaks;
}

function operationBreaks(pair: Pair, before: Operation, after: Operation, where: string): void {
  const { breaks } = pair;
  if (before.operationId !== after.operationId) breaks.push(`${where} has another operationId`);
  if (!isDeepStrictEqual(securityOf(pair.before, before), securityOf(pair.after, after))) {
    breaks.push(`${where} has another security`);
  }
  parameterBreaks(pair, before, after, where);
  bodyBreaks(pair, before.requestBody, after.requestBody, `${where} request body`);
  responsesBreaks(pair, before.responses, after.responses, where);
}

function securityOf(document: Document, operation: Operation) {
  const requirements = operation.security ?? document.security ?? [];
  return requirements.map((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => {
      const { description, ...scheme } = document.components.securitySchemes[name] ?? {};
      return { scheme, scopes };
    }),
  );
}

function parameterBreaks(pair: Pair, before: Operation, after: Operation, where: string): void {
  const collect = (document: Document, { parameters = [] }: Operation) =>
    new Map(
      parameters.map((entry) => {
        const parameter = resolve<Parameter>(document, entry);
        const name = parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name;
        return [`${parameter.in} parameter ${name}`, parameter];
      }),
    );
  const old = collect(pair.before, before);
  const current = collect(pair.after, after);
  for (const [name, parameter] of old) {
    const now = current.get(name);
    const place = `${where} ${name}`;
    if (!now) pair.breaks.push(`${place} is gone`);
    else {
      if (now.required && !parameter.required) pair.breaks.push(`${place} became required`);
      for (const key of ["style", "explode", "allowReserved"] as const) {
        if (now[key] !== parameter[key]) pair.breaks.push(`${place} has another ${key}`);
      }
      schemaBreaks(pair, parameter.schema, now.schema, "request", place);
    }
  }
  for (const [name, parameter] of current) {
    if (parameter.required && !old.has(name)) pair.breaks.push(`${where} ${name} is new and required`);
  }
}

function bodyBreaks(pair: Pair, old: RequestBody | undefined, now: RequestBody | undefined, where: string): void {
  if (now?.required && !old?.required) pair.breaks.push(`${where} became required`);
  if (!old) return;
  if (!now) pair.breaks.push(`${where} is gone`);
  else contentBreaks(pair, old.content, now.content, "request", where);
}

type Responses = Operation["responses"];

function responsesBreaks(pair: Pair, before: Responses, after: Responses, where: string): void {
  for (const [status, entry] of Object.entries(before)) {
    const place = `${where} ${status}`;
    const current = after[status];
    if (!current) {
      // The end of an error breaks no client.
      if (status.startsWith("2")) pair.breaks.push(`${place} is gone`);
      continue;
    }
    const old = resolve<Response>(pair.before, entry);
    const now = resolve<Response>(pair.after, current);
    contentBreaks(pair, old.content, now.content, "response", place);
    headerBreaks(pair, old.headers, now.headers, place);
  }
  for (const status of Object.keys(after)) {
    if (status.startsWith("2") && !before[status]) pair.breaks.push(`${where} ${status} is a new success`);
  }
}

type Content = Record<string, MediaType>;

function contentBreaks(
  pair: Pair,
  before: Content = {},
  after: Content = {},
  direction: "request" | "response",
  where: string,
): void {
  for (const [type, { schema }] of Object.entries(before)) {
    const now = after[type];
    if (now) schemaBreaks(pair, schema, now.schema, direction, `${where} ${type}`);
    else pair.breaks.push(`${where} ${type} is gone`);
  }
}

type Headers = Record<string, Header | Reference>;

function headerBreaks(pair: Pair, before: Headers = {}, after: Headers = {}, where: string): void {
  const current = new Map(Object.entries(after).map(([name, header]) => [name.toLowerCase(), header]));
  for (const [name, entry] of Object.entries(before)) {
    const place = `${where} header ${name}`;
    const found = current.get(name.toLowerCase());
    if (!found) pair.breaks.push(`${place} is gone`);
    else {
      const old = resolve<Header>(pair.before, entry);
      const now = resolve<Header>(pair.after, found);
      if (old.required && !now.required) pair.breaks.push(`${place} is no longer required`);
      schemaBreaks(pair, old.schema, now.schema, "response", place);
    }
  }
}
