import openapiFetch, { type Client } from "openapi-fetch";
import type { paths } from "./contract.ts";
import { type ClientOptions, checkOptions, definedOptions } from "./options.ts";
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
  const client = checkOptions(options);
  const paths = openapiFetch<paths>({
    baseUrl: client.baseUrl,
    headers: client.headers ?? {},
    fetch: async (request) => {
      const { method, url, signal } = request;
      // A copy, so that the request, which middleware sees, never contains the key.
      const headers = new Headers(request.headers);
      // openapi-fetch sets the options of a call as properties of its request.
      const own = definedOptions<object>(request);
      const { response, text, error } = await send({ ...client, ...own, method, url, headers, signal, request });
      // openapi-fetch would throw a SyntaxError for a success without JSON.
      if (error && !(error.status && error.status > 299)) throw error;
      return new Response(text || null, response);
    },
  });
  // openapi-fetch fills in paths itself but accepts any value, or none. This only rejects invalid ones.
  paths.use({ onRequest: ({ schemaPath, params }) => void fillPath(schemaPath, params.path) });
  return paths;
}
