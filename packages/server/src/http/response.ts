import type { Context } from "./context.ts";
import type { HttpError } from "./http-error.ts";

/** Every endpoint's path is appended to this (S-BASE-1). */
export const basePath = "/v1";
/** Every endpoint of the account's own interface is appended to this (C-ACC-1). */
export const accountBasePath = "/account/v1";

/** Whether a path is a base path or below it. */
export function isBelow(base: string, path: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === "/");
}

/** What an operation returns. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** Path of a created record below the base address (C-STATUS-1). */
  readonly location?: string;
  /** Entity tag of the record that the body shows (C-COND-1). */
  readonly etag?: string;
  /** Cursors of the pages beside a page of a list (C-LIST-3). */
  readonly cursors?: { readonly next: string | undefined; readonly prev: string | undefined };
}

/** A reply as it is sent, or stored to be sent again. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; empty in a response without content. */
  readonly body: string;
}

/**
 * Turns the reply of an operation into a response.
 * @param target path and query of the request, as `linkTarget` makes them
 */
export function toResponse({ status, body, location, etag, cursors }: Reply, target: LinkTarget): Response {
  const link = cursors && linkHeader(cursors, target);
  const headers = {
    ...(location && { Location: basePath + location }),
    ...(etag && { ETag: etag }),
    ...(link && { Link: link }),
  };
  return { status, headers, body: JSON.stringify(body) };
}

/** What the links of a list lead to: the same path and query, but for the page. */
export interface LinkTarget {
  /** Below the base address. */
  readonly path: string;
  /** Texts and numbers. */
  readonly query: Readonly<Record<string, unknown>>;
}

/** A `Link` header (RFC 8288): `</v1/projects?cursor=…>; rel="next"`. Empty without a page beside this one. */
function linkHeader(cursors: Readonly<Record<string, string | undefined>>, { path, query }: LinkTarget): string {
  const { page: _page, cursor: _cursor, ...kept } = query;
  const links = Object.entries(cursors).flatMap(([relation, cursor]) => {
    if (cursor === undefined) return [];
    const search = new URLSearchParams({ ...kept, cursor } as Record<string, string>);
    return [`<${basePath}${path}?${search}>; rel="${relation}"`];
  });
  return links.join(", ");
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
