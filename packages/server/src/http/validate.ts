import type { IncomingHttpHeaders } from "node:http";
import type { ContractOperation } from "../contract/contract.ts";
import type { Fault } from "../domain/errors.ts";
import { badRequest } from "./http-error.ts";
import type { Body } from "./read-body.ts";

/** Input of an operation that meets the contract; defaults are filled in. */
export interface ValidInput {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Whether the body is a JSON merge patch (C-PATCH-1; RFC 7396). */
  readonly isMergePatch: boolean;
  /** The `Idempotency-Key` of an operation that takes one (C-IDEM-1). */
  readonly idempotencyKey: string | undefined;
  /** The conditions of an operation that takes them (C-COND-1). */
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

const integer = /^-?(?:0|[1-9]\d*)$/;

/**
 * Checks query, headers and body against the contract.
 * @throws HttpError 400 that names every fault (C-ERR-1)
 */
export function validate(
  operation: ContractOperation,
  querystring: string,
  sentHeaders: IncomingHttpHeaders,
  body: Body | undefined,
): ValidInput {
  const { query, faults } = readQuery(querystring, operation);
  const headers = Object.fromEntries(
    operation.headerNames.flatMap((name) => (sentHeaders[name] === undefined ? [] : [[name, sentHeaders[name]]])),
  );
  // Before the default of page is filled in (C-LIST-3).
  const isCursorWithPage = Object.hasOwn(query, "cursor") && Object.hasOwn(query, "page");
  // A parameter that could not be read has its fault already.
  const unread = new Set(faults.map(({ at }) => at));
  faults.push(...operation.checkQuery(query).filter(({ at }) => !unread.has(at)));
  if (isCursorWithPage) faults.push({ in: "query", at: "cursor", message: "excludes page; send one of them" });
  faults.push(...operation.checkHeaders(headers));
  if (body) faults.push(...(operation.bodies.get(body.type)?.(body.value) ?? []));
  if (faults.length > 0) throw badRequest(faults);
  const header = (name: string) => headers[name] as string | undefined;
  return {
    query,
    body: body?.value,
    isMergePatch: body?.type === "application/merge-patch+json",
    idempotencyKey: header("idempotency-key"),
    ifMatch: header("if-match"),
    ifNoneMatch: header("if-none-match"),
  };
}

/** Decodes the query's parameters, with integers as numbers. One that is given twice is a fault (C-STRICT-1). */
function readQuery(text: string, operation: ContractOperation): { query: Record<string, unknown>; faults: Fault[] } {
  const query: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const part of text.split("&")) {
    if (part === "") continue;
    const [rawName = "", ...rest] = part.split("=");
    const name = decode(rawName);
    const value = decode(rest.join("="));
    if (name === undefined) {
      faults.push({ in: "query", at: rawName, message: "is not percent-encoded UTF-8" });
    } else if (Object.hasOwn(query, name)) {
      faults.push({ in: "query", at: name, message: "is given twice" });
    } else if (value === undefined) {
      query[name] = "";
      faults.push({ in: "query", at: name, message: "is not percent-encoded UTF-8" });
    } else {
      const isInteger = operation.integerNames.has(name) && integer.test(value);
      Object.defineProperty(query, name, {
        value: isInteger ? toNumber(value) : value,
        enumerable: true,
        writable: true,
      });
    }
  }
  return { query, faults };
}

/** The number, or where it is beyond all numbers the largest one, so that the bounds of the contract name it. */
function toNumber(integer: string): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(integer)));
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
