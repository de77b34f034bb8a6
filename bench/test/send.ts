import type { Fixture } from "./fixture.ts";
import type { TestRequest } from "./requests.ts";

/** The response of a server. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Sends a request to a server of this machine. */
export async function send(port: number, { keys }: Fixture, request: TestRequest): Promise<TestResponse> {
  const { as, method = "GET", path, body, contentType = "application/json", idempotencyKey } = request;
  const authorization = typeof as === "string" ? `Bearer ${keys[as]}` : as?.authorization;
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: {
      ...(authorization && { authorization }),
      ...(body !== undefined && { "content-type": contentType }),
      ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** What must be equal: status and body, without times, views, new ids and the sentences of errors. */
export function comparable({ status, headers, body }: TestResponse): object {
  if (status >= 400) return { status, ...errorOf(body) };
  const text = JSON.stringify({ body, location: headers.get("location") });
  // A view may lag.
  return { status, ...JSON.parse(withoutNewValues(text.replaceAll(/"views":\d+/g, '"views":0'))) };
}

/** JSON without the times and ids of this run; the fixture's are of 2025, and begin with 0. */
export function withoutNewValues(json: string): string {
  return json.replaceAll(/(?<=")20(?!25-)\d\d-[^"]+Z|(prj|fb|bug)_(?!0000)[0-9a-f]{24}/g, "$1_new");
}

function errorOf(body: unknown): object {
  const { error, message } = body as { error: unknown; message: unknown };
  return { error, message: typeof message };
}
