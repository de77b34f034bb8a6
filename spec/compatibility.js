import { isDeepStrictEqual } from "node:util";
import { resolve, schemaBreaks } from "./compatibility-schemas.js";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * What a client written for the document `before` could stumble over in `after`, as sentences; none where the contract
 * only grew (C-VER-1).
 *
 * Growth is a new path, operation, optional parameter, optional request field, response field or header, a wider
 * request constraint, and another value in an enum of a response: a reader takes values it does not know. A new error
 * status is growth too, since clients treat one they do not know as the x00 of its class (RFC 9110, section 15), and
 * all errors have one shape. Everything else is a break, also in keywords that are not judged one by one.
 *
 * Written here because the libraries at hand either stop at OpenAPI 3.0 or fetch a program when they are installed.
 */
export function breaksBetween(before, after) {
  const breaks = [];
  const pair = { before, after, breaks };
  for (const [path, operations] of Object.entries(before.paths)) {
    for (const method of methods) {
      if (!operations[method]) continue;
      const where = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (now) operationBreaks(pair, operations[method], now, where);
      else breaks.push(`${where} is gone`);
    }
  }
  return breaks;
}

function operationBreaks(pair, before, after, where) {
  const { breaks } = pair;
  if (before.operationId !== after.operationId) breaks.push(`${where} has another operationId`);
  if (!isDeepStrictEqual(securityOf(pair.before, before), securityOf(pair.after, after))) {
    breaks.push(`${where} has another security`);
  }
  parameterBreaks(pair, before, after, where);
  bodyBreaks(pair, before.requestBody, after.requestBody, `${where} request body`);
  responsesBreaks(pair, before.responses, after.responses, where);
}

function securityOf(document, operation) {
  const requirements = operation.security ?? document.security ?? [];
  return requirements.map((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => {
      const { description, ...scheme } = document.components.securitySchemes[name];
      return { scheme, scopes };
    }),
  );
}

function parameterBreaks(pair, before, after, where) {
  const collect = (document, { parameters = [] }) =>
    new Map(
      parameters.map((entry) => {
        const parameter = resolve(document, entry);
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
      for (const key of ["style", "explode", "allowReserved"]) {
        if (now[key] !== parameter[key]) pair.breaks.push(`${place} has another ${key}`);
      }
      schemaBreaks(pair, parameter.schema, now.schema, "request", place);
    }
  }
  for (const [name, parameter] of current) {
    if (parameter.required && !old.has(name)) pair.breaks.push(`${where} ${name} is new and required`);
  }
}

function bodyBreaks(pair, before, after, where) {
  const old = resolve(pair.before, before);
  const now = resolve(pair.after, after);
  if (now?.required && !old?.required) pair.breaks.push(`${where} became required`);
  if (!old) return;
  if (!now) pair.breaks.push(`${where} is gone`);
  else contentBreaks(pair, old.content, now.content, "request", where);
}

function responsesBreaks(pair, before, after, where) {
  for (const [status, entry] of Object.entries(before)) {
    const place = `${where} ${status}`;
    // An error that does not happen any more hurts nobody.
    if (!after[status] && status.startsWith("2")) pair.breaks.push(`${place} is gone`);
    if (!after[status]) continue;
    const old = resolve(pair.before, entry);
    const now = resolve(pair.after, after[status]);
    contentBreaks(pair, old.content, now.content, "response", place);
    headerBreaks(pair, old.headers, now.headers, place);
  }
  for (const status of Object.keys(after)) {
    if (status.startsWith("2") && !before[status]) pair.breaks.push(`${where} ${status} is a new success`);
  }
}

function contentBreaks(pair, before = {}, after = {}, direction, where) {
  for (const [type, { schema }] of Object.entries(before)) {
    if (after[type]) schemaBreaks(pair, schema, after[type].schema, direction, `${where} ${type}`);
    else pair.breaks.push(`${where} ${type} is gone`);
  }
}

function headerBreaks(pair, before = {}, after = {}, where) {
  const current = new Map(Object.entries(after).map(([name, header]) => [name.toLowerCase(), header]));
  for (const [name, entry] of Object.entries(before)) {
    const place = `${where} header ${name}`;
    const old = resolve(pair.before, entry);
    const now = resolve(pair.after, current.get(name.toLowerCase()));
    if (!now) pair.breaks.push(`${place} is gone`);
    else {
      if (old.required && !now.required) pair.breaks.push(`${place} is no longer required`);
      schemaBreaks(pair, old.schema, now.schema, "response", place);
    }
  }
}
