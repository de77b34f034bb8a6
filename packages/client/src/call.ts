import type { paths } from "./contract.ts";
import { type Result, withMetadata } from "./metadata.ts";
import { type ClientOptions, definedOptions, type WriteOptions } from "./options.ts";
import type { Output } from "./output.ts";
import { send } from "./send.ts";
import { fillPath, queryString } from "./url.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";
type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<M>, object> ? Path : never;
}[keyof paths];
type OperationOf<M extends Method, Path extends keyof paths> = paths[Path][Lowercase<M>];

/** The parameters and the body of an operation. */
type Input<Operation> = (Operation extends { parameters: { path: infer Values extends object } }
  ? { path: Values }
  : { path?: never }) &
  (Operation extends { parameters: { query?: infer Values } } ? { query?: Values } : unknown) &
  (Operation extends { requestBody: { content: { "application/json": infer Body } } } ? { body: Body } : unknown);

/** Calls an operation of the contract by its method and path. Returns its result or throws its error. */
export type Call = <M extends Method, Path extends PathWith<M>>(
  method: M,
  path: Path,
  input: Input<OperationOf<M, Path>>,
  options?: WriteOptions,
) => Promise<Result<Output<OperationOf<M, Path>>>>;

/** Creates the function that all resources use for their calls. */
export function createCall(client: ClientOptions): Call {
  const call = async (
    method: string,
    path: string,
    { path: values, query, body }: { path?: Record<string, string>; query?: Record<string, unknown>; body?: object },
    options?: WriteOptions,
  ) => {
    const headers = new Headers({ ...client.headers, ...options?.headers });
    if (body) headers.set("content-type", "application/json");
    const url = client.baseUrl + fillPath(path, values) + queryString(query);
    const own = options && definedOptions(options);
    const result = await send({ ...client, ...own, method, url, headers, body: JSON.stringify(body) });
    if (result.error) throw result.error;
    return withMetadata(result.body ?? {}, result.metadata);
  };
  return call as Call;
}
