import type { Context } from "./context.ts";
import type { HttpError } from "./http-error.ts";

/** Every endpoint's path is appended to this (S-BASE-1). */
export const basePath = "/v1";

/** What an operation returns. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** Path of a created record below the base address (C-STATUS-1). */
  readonly location?: string;
  /** Entity tag of the record that the body shows (C-COND-1). */
  readonly etag?: string;
}

/** A reply as it is sent, or stored to be sent again. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; empty in a response without content. */
  readonly body: string;
}

/** Turns the reply of an operation into a response. */
export function toResponse({ status, body, location, etag }: Reply): Response {
  const headers = { ...(location && { Location: basePath + location }), ...(etag && { ETag: etag }) };
  return { status, headers, body: JSON.stringify(body) };
}

/** The response to a client that has this one already (RFC 9110 section 15.4.5). */
export function notModified({ headers }: Response): Response {
  return { status: 304, headers, body: "" };
}

/** The response of an error. */
export function errorResponse({ status, headers, body }: HttpError): Response {
  return { status, headers, body: JSON.stringify(body) };
}

/** Sends a response. */
export function respond(ctx: Context, { status, headers, body }: Response): void {
  ctx.status = status;
  ctx.set(headers);
  if (body === "") return;
  ctx.type = "json";
  ctx.body = body;
}
