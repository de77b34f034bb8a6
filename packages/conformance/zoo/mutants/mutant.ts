import type { Deployment } from "../../src/options.ts";
import type { Choices } from "../example/choices.ts";
import type { ExampleServer } from "../example/server.ts";
import {
  type Ask,
  type Fields,
  fieldsOf,
  isSuccess,
  itemsOf,
  type Keys,
  operationOf,
  type WireRequest,
  type WireResponse,
} from "../wire.ts";

/** Puts something between the suite and a server. A new one is created for each run, so it may remember. */
export type Interceptor = (ask: Ask, keys: Keys, server: ExampleServer) => Ask;

/** A server with one defect. */
export interface Mutant {
  readonly id: string;
  /** The clause it breaks, and others that cannot hold once it is broken. */
  readonly breaks: readonly [string, ...string[]];
  readonly description: string;
  /** The defect, in the requests or the responses. */
  readonly intercept?: Interceptor;
  /** Legal choices beside the defect, or the defect itself where an allowance is wrong. */
  readonly choices?: Partial<Choices>;
  readonly declares?: Deployment;
  /** Where it is served, when that is the defect. */
  readonly servedAt?: string;
}

type Breaks = string | readonly [string, ...string[]];

/** A mutant whose requests or responses are wrong. */
export const onWire = (
  id: string,
  breaks: Breaks,
  description: string,
  intercept: Interceptor,
  more: Pick<Mutant, "choices" | "declares"> = {},
): Mutant => ({
  id,
  breaks: typeof breaks === "string" ? [breaks] : breaks,
  description,
  intercept,
  ...more,
});

/** Changes the body of an operation's successes. */
export const rewriteBody =
  (
    operation: string | readonly string[],
    change: (body: Fields, sent: WireRequest, got: WireResponse) => unknown,
  ): Interceptor =>
  (ask) =>
  async (sent) => {
    const got = await ask(sent);
    const meant = [operation].flat().includes(operationOf(sent));
    return meant && isSuccess(got) ? { ...got, body: change(fieldsOf(got.body), sent, got) } : got;
  };

/** Changes the items of a list. */
export const rewriteItems = (operation: string, change: (item: Fields, n: number) => Fields): Interceptor =>
  rewriteBody(operation, (body) => ({ ...body, data: itemsOf(body).map(change) }));

/** Changes an operation's requests on their way in. */
export const rewriteRequest =
  (operation: string, change: (sent: WireRequest) => WireRequest): Interceptor =>
  (ask) =>
  async (sent) =>
    ask(operationOf(sent) === operation ? change(sent) : sent);

/** Handles an operation's requests itself. */
export const replaceHandler =
  (
    operation: string | readonly string[],
    handle: (sent: WireRequest, ask: Ask, keys: Keys, server: ExampleServer) => Promise<WireResponse>,
  ): Interceptor =>
  (ask, keys, server) =>
  async (sent) =>
    [operation].flat().includes(operationOf(sent)) ? handle(sent, ask, keys, server) : ask(sent);

/** Changes the headers of every answer. */
export const rewriteHeaders =
  (
    change: (headers: Record<string, string>, sent: WireRequest, got: WireResponse) => Record<string, string>,
  ): Interceptor =>
  (ask) =>
  async (sent) => {
    const got = await ask(sent);
    return { ...got, headers: change({ ...got.headers }, sent, got) };
  };

export const without = (body: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

export const withQuery = (sent: WireRequest, change: Readonly<Record<string, string | undefined>>): WireRequest => ({
  ...sent,
  query: Object.fromEntries(
    Object.entries({ ...sent.query, ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  ),
});

/** The same request with another key, or with none. */
export const withKey = (sent: WireRequest, key: string | undefined): WireRequest => {
  const { authorization: _, ...headers } = sent.headers;
  return { ...sent, headers: key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` } };
};

/** A refusal that the reference never gives. */
export const refusal = (status: number, got: Pick<WireResponse, "headers">): WireResponse => ({
  status,
  headers: { ...got.headers, "content-type": "application/json" },
  body: { error: "Refused", message: "This server refuses it." },
});
