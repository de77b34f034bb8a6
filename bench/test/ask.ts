import type { Asked } from "./requests.ts";
import type { World } from "./world.ts";

/** An answer of a server. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Asks a server of this machine. */
export async function ask(port: number, { keys }: World, { as, method = "GET", path, body }: Asked): Promise<Answered> {
  const authorization = typeof as === "string" ? `Bearer ${keys[as]}` : as?.authorization;
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: {
      ...(authorization && { authorization }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** What must be equal: status and body, without times, views, ids that were made here, and the sentences of errors. */
export function comparable({ status, headers, body }: Answered): object {
  const text = JSON.stringify(status < 400 ? { body, location: headers.get("location") } : errorOf(body));
  return { status, ...JSON.parse(text.replaceAll(/"views":\d+/g, '"views":0').replaceAll(made, "$1_new")) };
}

// Seeded ids begin with zeros, and seeded times are of 2025.
const made = /(?<=")20(?!25-)\d\d-[^"]+Z|(prj|fb|bug)_(?!0000)[0-9a-f]{24}/g;

function errorOf(body: unknown): object {
  const { error, message } = body as { error: unknown; message: unknown };
  return { error, message: typeof message };
}
