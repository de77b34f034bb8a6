import type { OperationId } from "@project-feedback/server/contract";
import type { Dependencies, Input, Operation, Operations } from "@project-feedback/server/operations";
import { operations } from "@project-feedback/server/operations";
import type { Repositories } from "@project-feedback/server/store/repositories";
import type { Alteration } from "../reference.ts";
import {
  type Ask,
  type Distortion,
  type Fields,
  fieldsOf,
  type Got,
  isSuccess,
  itemsOf,
  operationOf,
  type Sent,
} from "../wire.ts";

/** The reference server with one thing wrong. */
export interface Mutant {
  readonly id: string;
  /** The clause it breaks, and others that cannot hold once it is broken. */
  readonly breaks: readonly [string, ...string[]];
  readonly says: string;
  /** What is wrong within. */
  readonly alter?: () => Alteration;
  /** What is wrong on the wire. */
  readonly distort?: Distortion;
  /** Where it is served, when that is what is wrong. */
  readonly servedAt?: string;
}

type Breaks = string | readonly [string, ...string[]];
const list = (breaks: Breaks) => (typeof breaks === "string" ? ([breaks] as const) : breaks);

/** A mutant whose server is wrong within. */
export const within = (id: string, breaks: Breaks, says: string, alter: () => Alteration): Mutant => ({
  id,
  breaks: list(breaks),
  says,
  alter,
});

/** A mutant whose requests or answers are wrong. */
export const onWire = (id: string, breaks: Breaks, says: string, distort: Distortion): Mutant => ({
  id,
  breaks: list(breaks),
  says,
  distort,
});

type WrongOperation<Id extends OperationId> = (
  input: Input<Id>,
  records: Repositories,
  dependencies: Dependencies,
) => Promise<unknown>;

/** The reference with another operation; what it answers need not be of the contract. */
export function withOperation<Id extends OperationId>(
  id: Id,
  wrong: (right: Operation<Id>) => WrongOperation<Id>,
): Alteration {
  return { operations: { ...operations, [id]: wrong(operations[id] as Operation<Id>) } as Operations };
}

/** Changes the body of an operation's successes. */
export const answering =
  (operation: string | readonly string[], change: (body: Fields, sent: Sent, got: Got) => unknown): Distortion =>
  (ask) =>
  async (sent) => {
    const got = await ask(sent);
    const meant = [operation].flat().includes(operationOf(sent));
    return meant && isSuccess(got) ? { ...got, body: change(fieldsOf(got.body), sent, got) } : got;
  };

/** Changes the items of a list. */
export const listing = (operation: string, change: (item: Fields, n: number) => Fields): Distortion =>
  answering(operation, (body) => ({ ...body, data: itemsOf(body).map(change) }));

/** Changes an operation's requests on their way in. */
export const asking =
  (operation: string, change: (sent: Sent) => Sent): Distortion =>
  (ask) =>
  async (sent) =>
    ask(operationOf(sent) === operation ? change(sent) : sent);

/** Handles an operation's requests itself. */
export const handling =
  (
    operation: string | readonly string[],
    handle: (sent: Sent, ask: Ask, keys: Parameters<Distortion>[1]) => Promise<Got>,
  ): Distortion =>
  (ask, keys) =>
  async (sent) =>
    [operation].flat().includes(operationOf(sent)) ? handle(sent, ask, keys) : ask(sent);

/** Changes the headers of every answer. */
export const headed =
  (change: (headers: Record<string, string>, sent: Sent, got: Got) => Record<string, string>): Distortion =>
  (ask) =>
  async (sent) => {
    const got = await ask(sent);
    return { ...got, headers: change({ ...got.headers }, sent, got) };
  };

export const without = (body: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

export const withQuery = (sent: Sent, change: Readonly<Record<string, string | undefined>>): Sent => ({
  ...sent,
  query: Object.fromEntries(
    Object.entries({ ...sent.query, ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  ),
});

/** The same request with another key, or with none. */
export const withKey = (sent: Sent, key: string | undefined): Sent => {
  const { authorization: _, ...headers } = sent.headers;
  return { ...sent, headers: key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` } };
};

/** A refusal that the reference never gives. */
export const refusal = (status: number, got: Pick<Got, "headers">): Got => ({
  status,
  headers: { ...got.headers, "content-type": "application/json" },
  body: { error: "Refused", message: "This server refuses it." },
});
