import { loadContract } from "../../src/contract/contract.ts";
import { contractRequirement } from "./response-check.ts";

const requireContract = contractRequirement(loadContract(), "/v1");

/** A response with its whole body. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape, and assert on them
  readonly body: any;
  readonly text: string;
}

/** Sends requests as one account. @throws Error when a response breaks the contract */
export class Caller {
  readonly origin: string;
  readonly id: string;
  readonly key: string;

  constructor(origin: string, account: { id: string; key: string } | undefined) {
    this.origin = origin;
    this.id = account?.id ?? "";
    this.key = account?.key ?? "";
  }

  get(path: string, init: RequestInit = {}): Promise<Received> {
    return this.send("GET", path, init);
  }

  delete(path: string): Promise<Received> {
    return this.send("DELETE", path);
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Received> {
    return this.#sendJson("POST", path, body, headers);
  }

  patch(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Received> {
    return this.#sendJson("PATCH", path, body, headers);
  }

  /** Sends a request. `path` is relative to `/v1`; with two leading slashes it is absolute. */
  async send(method: string, path: string, init: RequestInit = {}): Promise<Received> {
    const url = path.startsWith("//") ? this.origin + path.slice(1) : `${this.origin}/v1${path}`;
    const headers = new Headers(init.headers);
    if (this.key && !headers.has("Authorization")) headers.set("Authorization", `Bearer ${this.key}`);
    const response = await fetch(url, { ...init, method, headers });
    const text = await response.text();
    const received = { status: response.status, headers: response.headers, body: parse(text), text };
    requireContract(method, new URL(url).pathname, received);
    return received;
  }

  #sendJson(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Received> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    return this.send(method, path, { ...json, headers: { ...type, ...headers } });
  }
}

function parse(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}
