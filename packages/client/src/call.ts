import type { paths } from "@project-feedback/spec/types";
import { mergeHeaders } from "./headers.ts";
import { type ResponseMetadata, type Result, withMetadata } from "./metadata.ts";
import { type ChangeOptions, type ClientConfiguration, definedOptions } from "./options.ts";
import type { Output } from "./output.ts";
import type { Page } from "./page.ts";
import { send } from "./send.ts";
import { fillPath, queryString } from "./url.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";
type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<M>, object> ? Path : never;
}[keyof paths];
type OperationOf<M extends Method, Path extends keyof paths> = paths[Path][Lowercase<M>];

/** The same type, but optional fields may be undefined, which JSON and a query leave out. */
type AllowUndefined<Value> = Value extends object
  ? { [Name in keyof Value]: AllowUndefined<Value[Name]> | undefined }
  : Value;

/** The parameters and the body of an operation. */
type Input<Operation> = (Operation extends { parameters: { path: infer Values extends object } }
  ? { path: Values }
  : { path?: never }) &
  (Operation extends { parameters: { query?: infer Values } } ? { query?: AllowUndefined<Values> } : unknown) &
  (Operation extends { requestBody: { content: { "application/json": infer Body } } }
    ? { body: AllowUndefined<Body> }
    : Operation extends { requestBody?: { content: { "application/json": infer Body } } }
      ? { body?: AllowUndefined<Body> }
      : unknown);

/** A result with the response that it came in. */
export interface WithResponse<Body> extends ResponseMetadata {
  readonly data: Result<Body>;
  /** The response. Its body is already read. */
  readonly response: Response;
}

/** A promise of a result. */
export interface ResultPromise<Body> extends Promise<Result<Body>> {
  /** Returns the result together with the response: its status and headers. */
  withResponse(): Promise<WithResponse<Body>>;
}

/** Calls an operation of the contract by its method and path. Returns its result or throws its error. */
export type Call = <M extends Method, Path extends PathWith<M>>(
  method: M,
  path: Path,
  input: Input<OperationOf<M, Path>>,
  options?: ChangeOptions,
) => ResultPromise<Output<OperationOf<M, Path>>>;

/** Whether a body has what an iteration over a list needs. */
const isPage = ({ data, pagination }: Partial<Page<{ id?: string } | null>>): boolean =>
  Array.isArray(data) && data.every((item) => item?.id) && (pagination?.total as number) >= 0;

const isRecord = (body: object): boolean => !Array.isArray(body);

/** Creates the function that all resources use for their calls. */
export function createCall(client: ClientConfiguration): Call {
  const call = (
    method: string,
    path: string,
    { path: values, query, body }: { path?: Record<string, string>; query?: Record<string, unknown>; body?: object },
    options?: ChangeOptions,
  ): ResultPromise<object> => {
    const sent = (async () => {
      const own = body && { "content-type": "application/json" };
      const condition = options?.ifMatch && { "if-match": options.ifMatch };
      const { headers } = client;
      const result = await send(options ? { ...client, ...definedOptions(options), headers } : client, {
        method,
        url: client.baseUrl + fillPath(path, values) + queryString(query),
        headers: mergeHeaders({ ...own, ...condition, ...headers }, options?.headers),
        body: JSON.stringify(body),
        // Only lists have a query.
        isExpected: query ? isPage : isRecord,
      });
      if (result.error) throw result.error;
      const metadata = result.metadata as ResponseMetadata;
      return {
        data: withMetadata(result.body as object, metadata),
        response: result.response as Response,
        ...metadata,
      };
    })();
    const result = sent.then(({ data }) => data);
    return Object.assign(result, {
      withResponse: () => {
        // The caller has one promise, so only that one may reject unhandled.
        result.catch(() => {});
        return sent;
      },
    });
  };
  return call as Call;
}
