import openapiFetch, { type Client } from "openapi-fetch";
import { fillPath } from "./address.ts";
import type { paths } from "./contract.ts";
import { type ClientOptions, checkOptions, given } from "./options.ts";
import { send } from "./retry.ts";

/** The bare openapi-fetch client of the contract's paths. */
export type PathClient = Client<paths>;

/**
 * Makes the bare openapi-fetch client of the contract's paths, over the same retries, timeouts and hooks.
 *
 * It answers `{ data, error, response }`, and takes the options of a call beside openapi-fetch's own. It throws where
 * no answer came, and where a success is not JSON. A program that does not import it does not pay for openapi-fetch.
 *
 * @throws TypeError that names an option which can't be.
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
      // A copy, so that the request, which middleware sees, never bears the key.
      const headers = new Headers(request.headers);
      // openapi-fetch puts a call's own options on its request, as properties.
      const own = given<object>(request);
      const { response, text, error } = await send({ ...client, ...own, method, url, headers, signal, request });
      // A success without JSON would make openapi-fetch throw a SyntaxError.
      if (error && !(error.status && error.status > 299)) throw error;
      return new Response(text || null, response);
    },
  });
  // openapi-fetch fills paths in by itself, but takes any value, and none. This only refuses.
  paths.use({ onRequest: ({ schemaPath, params }) => void fillPath(schemaPath, params.path) });
  return paths;
}
