import { fillPath, writeQuery } from "./address.ts";
import type { paths } from "./contract.ts";
import { type ClientOptions, given, type WriteOptions } from "./options.ts";
import { type Result, withFacts } from "./result.ts";
import { send } from "./retry.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";
type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<M>, object> ? Path : never;
}[keyof paths];
type OperationOf<M extends Method, Path extends keyof paths> = paths[Path][Lowercase<M>];

/** What an operation takes, in its three places. */
type Input<Operation> = (Operation extends { parameters: { path: infer Values extends object } }
  ? { path: Values }
  : { path?: never }) &
  (Operation extends { parameters: { query?: infer Values } } ? { query?: Values } : unknown) &
  (Operation extends { requestBody: { content: { "application/json": infer Body } } } ? { body: Body } : unknown);

type Success<Operation> = Operation extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201)]
  : never;
type Output<Operation> = Success<Operation> extends { content: { "application/json": infer Body } } ? Body : never;

/** Calls an operation of the contract, by its method and path, and answers its result or throws its error. */
export type Call = <M extends Method, Path extends PathWith<M>>(
  method: M,
  path: Path,
  input: Input<OperationOf<M, Path>>,
  options?: WriteOptions,
) => Promise<Result<Output<OperationOf<M, Path>>>>;

/** Makes the function through which every resource calls. */
export function createCall(client: ClientOptions): Call {
  const call = async (
    method: string,
    path: string,
    { path: values, query, body }: { path?: Record<string, string>; query?: Record<string, unknown>; body?: object },
    options?: WriteOptions,
  ) => {
    const headers = new Headers({ ...client.headers, ...options?.headers });
    if (body) headers.set("content-type", "application/json");
    const url = client.baseUrl + fillPath(path, values) + writeQuery(query);
    const message = { ...client, ...(options && given(options)), method, url, headers, body: JSON.stringify(body) };
    const { body: answer = {}, facts, error } = await send(message);
    if (error) throw error;
    return withFacts(answer, facts);
  };
  return call as Call;
}
