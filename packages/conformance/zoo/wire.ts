import type { ConformanceOptions } from "../src/options.ts";

/** A request as a defect sees it: `path` is below the base address, `body` is parsed JSON. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An answer; `body` is parsed JSON, or text that is none. Undefined: there is no body. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type Ask = (sent: WireRequest) => Promise<WireResponse>;
export type Keys = ConformanceOptions["keys"];

export type Fields = Record<string, unknown>;

const operations: readonly (readonly [string, string, RegExp])[] = [
  ["listProjects", "GET", /^\/projects$/],
  ["createProject", "POST", /^\/projects$/],
  ["getProject", "GET", /^\/projects\/[^/]+$/],
  ["updateProject", "PATCH", /^\/projects\/[^/]+$/],
  ["deleteProject", "DELETE", /^\/projects\/[^/]+$/],
  ["listFeedback", "GET", /^\/projects\/[^/]+\/feedback$/],
  ["createFeedback", "POST", /^\/projects\/[^/]+\/feedback$/],
  ["getFeedback", "GET", /^\/feedback\/[^/]+$/],
  ["updateFeedback", "PATCH", /^\/feedback\/[^/]+$/],
  ["markFeedbackHelpful", "POST", /^\/feedback\/[^/]+\/helpful$/],
  ["replyToFeedback", "POST", /^\/feedback\/[^/]+\/reply$/],
];

/** The operation that a request asks for; "" for none. */
export const operationOf = ({ method, path }: WireRequest): string =>
  operations.find(([, verb, pattern]) => verb === method && pattern.test(path))?.[0] ?? "";

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const itemsOf = (body: unknown): Fields[] => {
  const { data } = fieldsOf(body);
  return Array.isArray(data) ? data.map(fieldsOf) : [];
};

export const isSuccess = ({ status }: WireResponse): boolean => status < 300;

/** Asks a real server. */
export function askAt(baseUrl: string, send: typeof fetch = fetch): Ask {
  return async ({ method, path, query, headers, body }) => {
    const search = new URLSearchParams(query).toString();
    const json = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const response = await send(`${baseUrl}${path}${search && `?${search}`}`, { method, headers, ...json });
    const text = await response.text();
    return { status: response.status, headers: Object.fromEntries(response.headers), body: parsed(text) };
  };
}

/** The fetch that a run is given: every request goes through the distortion, and then to the server. */
export function fetchThrough(baseUrl: string, ask: Ask): typeof fetch {
  const below = new URL(baseUrl).pathname;
  return async (address, init) => {
    const url = new URL(String(address));
    const { status, headers, body } = await ask({
      method: init?.method ?? "GET",
      path: url.pathname.startsWith(below) ? url.pathname.slice(below.length) : url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === "string" ? parsed(init.body) : undefined,
    });
    const text =
      body === undefined ? null : typeof body === "string" && !isJsonText(headers) ? body : JSON.stringify(body);
    const { "content-length": _, ...rest } = headers;
    return new Response(status === 204 ? null : text, { status, headers: rest });
  };
}

const isJsonText = (headers: Readonly<Record<string, string>>) => headers["content-type"]?.includes("json") ?? false;

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
