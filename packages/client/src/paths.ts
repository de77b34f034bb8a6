import type { paths } from "@project-feedback/spec/types";
import type { Client, Middleware } from "openapi-fetch";
import { type ClientConfiguration, type ClientOptions, configure, definedOptions } from "./options.ts";
import { send } from "./send.ts";
import { fillPath, queryString } from "./url.ts";

/** A client with the interface of openapi-fetch, typed by the contract. */
export type PathClient = Client<paths>;

type Values = Readonly<Record<string, unknown>>;

/** The options of a call, as openapi-fetch has them, next to those of `fetch` and of this client. */
interface CallInit extends Values {
  readonly params?: { readonly path?: Values; readonly query?: Values; readonly header?: Values };
  readonly body?: unknown;
  readonly headers?: Headers | Values;
  readonly middleware?: readonly Middleware[];
  readonly parseAs?: "json" | "text" | "blob" | "arrayBuffer" | "stream";
  readonly baseUrl?: string;
  readonly querySerializer?: (query: Values) => string;
  readonly bodySerializer?: (body: unknown) => string;
  readonly pathSerializer?: (path: string, parameters: Values) => string;
}

/** Adds headers. A value that is null or undefined removes the header, a list adds each of its values. */
function addHeaders(headers: Headers, added: Headers | Values = {}): void {
  for (const [name, value] of added instanceof Headers ? added : Object.entries(added)) {
    headers.delete(name);
    for (const each of [value ?? []].flat()) headers.append(name, String(each));
  }
}

/** Sends the request of a call. Returns a response whose body can be read. */
async function sendRequest(client: ClientConfiguration, request: Request, options: Values): Promise<Response> {
  const { method, url, signal, cache, credentials, integrity, keepalive, mode, referrer, referrerPolicy } = request;
  const configuration = { ...client, ...definedOptions(options), headers: client.headers, signal };
  const { response, body, error } = await send(configuration, {
    ...{ method, url },
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
    init: { cache, credentials, integrity, keepalive, mode, referrer, referrerPolicy },
  });
  // A success without JSON has no data, and an opaque redirect no status.
  if (!response || (error && !(Number(error.status) > 299))) throw error;
  const { status, headers } = response as Response;
  const text = body === undefined ? error?.body : JSON.stringify(body);
  // A deletion may have no body, and gets one here.
  return new Response((text as string) || null, { status: status === 204 ? 200 : status, headers });
}

/** The data or the error of a response. */
async function readResponse(response: Response, parseAs: NonNullable<CallInit["parseAs"]>) {
  if (response.ok && parseAs !== "json") {
    return { data: parseAs === "stream" ? response.body : await response[parseAs](), response };
  }
  const text = await response.text();
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {}
  return response.ok ? { data: value || undefined, response } : { error: value, response };
}

/**
 * Creates a client with the interface of openapi-fetch, typed by the contract, with the same retries, timeouts and hooks.
 *
 * Its methods return `{ data, error, response }` and accept the options of a call next to openapi-fetch's own. They throw
 * if no response came or a success is not JSON. A program that does not import it does not contain it.
 *
 * @throws TypeError that names an invalid option.
 * @example
 * ```ts
 * const { data, error } = await createPathClient(options).GET("/projects/{id}", { params: { path: { id } } });
 * ```
 */
export function createPathClient(options: ClientOptions): PathClient {
  const client = configure(options);
  const registered: Middleware[] = [];

  const call = async (method: string, schemaPath: string, init: CallInit = {}) => {
    const { params = {}, body, headers: own, middleware = [], parseAs = "json", ...rest } = init;
    const { baseUrl = client.baseUrl, querySerializer, pathSerializer, bodySerializer, ...others } = rest;
    const path = fillPath(schemaPath, params.path);
    const query = querySerializer ? `?${querySerializer(params.query ?? {})}` : queryString(params.query);
    const headers = new Headers(body === undefined ? {} : { "content-type": "application/json" });
    for (const added of [client.headers, own, params.header]) addHeaders(headers, added);
    let request = new Request(baseUrl + (pathSerializer?.(schemaPath, params.path ?? {}) ?? path) + query, {
      ...(others as RequestInit),
      method: method.toUpperCase(),
      headers,
      ...(body !== undefined && { body: (bodySerializer ?? JSON.stringify)(body) }),
    });

    const chain = [...registered, ...middleware];
    const id = Math.random().toString(36).slice(2);
    const context = () => ({ request, schemaPath, params, id, options: { baseUrl, parseAs } }) as never;
    for (const each of chain) {
      const changed = await each.onRequest?.(context());
      if (changed instanceof Response) return readResponse(changed, parseAs);
      if (changed) request = changed;
    }
    chain.reverse();
    let response: Response | undefined;
    try {
      response = await sendRequest(client, request, others);
    } catch (thrown) {
      let error = thrown;
      for (const each of chain) {
        const changed = await each.onError?.({ ...(context() as object), error } as never);
        if (changed instanceof Response) {
          response = changed;
          break;
        }
        error = changed ?? error;
      }
      if (!response) throw error;
    }
    for (const each of chain) {
      response = (await each.onResponse?.({ ...(context() as object), response } as never)) ?? response;
    }
    return readResponse(response, parseAs);
  };

  const methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"].map((method) => [
    method,
    (path: string, init?: CallInit) => call(method, path, init),
  ]);
  return {
    ...Object.fromEntries(methods),
    request: call,
    use: (...added: Middleware[]) => void registered.push(...added),
    eject: (...removed: Middleware[]) => {
      for (const each of removed) if (registered.includes(each)) registered.splice(registered.indexOf(each), 1);
    },
  };
}
