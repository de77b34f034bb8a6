import type { paths } from "@project-feedback/spec/types";
import openapiFetch, { type Client } from "openapi-fetch";
import { type ClientOptions, configure, definedOptions } from "./options.ts";
import { send } from "./send.ts";
import { fillPath } from "./url.ts";

/** An openapi-fetch client, typed by the contract. */
export type PathClient = Client<paths>;

/**
 * Creates an openapi-fetch client, typed by the contract, with the same retries, timeouts and hooks.
 *
 * Its methods return `{ data, error, response }` and accept the options of a call next to openapi-fetch's own. They throw
 * if no response came or a success is not JSON. A program that does not import it does not contain openapi-fetch.
 *
 * @throws TypeError that names an invalid option.
 * @example
 * ```ts
 * const { data, error } = await createPathClient(options).GET("/projects/{id}", { params: { path: { id } } });
 * ```
 */
export function createPathClient(options: ClientOptions): PathClient {
  const client = configure(options);
  const paths = openapiFetch<paths>({
    baseUrl: client.baseUrl,
    headers: client.headers,
    fetch: async (request) => {
      const { method, url, signal, cache, credentials, integrity, keepalive, mode, referrer, referrerPolicy } = request;
      const { response, body, error } = await send({
        ...client,
        // openapi-fetch sets the options of a call as properties of its request.
        ...definedOptions<object>(request),
        method,
        url,
        signal,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
        init: { cache, credentials, integrity, keepalive, mode, referrer, referrerPolicy },
      });
      // openapi-fetch would throw a SyntaxError for a success without JSON.
      if (!response || (error && !((error.status as number) > 299))) throw error;
      const { status, headers } = response as Response;
      const text = body === undefined ? error?.body : JSON.stringify(body);
      // A deletion may have no body, and gets one here.
      return new Response((text as string) || null, { status: status === 204 ? 200 : status, headers });
    },
  });
  // openapi-fetch fills in paths itself but accepts any value, or none. This only rejects invalid ones.
  paths.use({ onRequest: ({ schemaPath, params }) => void fillPath(schemaPath, params.path) });
  return paths;
}
