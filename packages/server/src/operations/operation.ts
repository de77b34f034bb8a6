import type { components, operations } from "@project-feedback/spec";
import type { OperationId } from "../contract/contract.ts";
import type { BodyOf, JsonOf, ParametersOf, SuccessOf } from "../contract/operation-types.ts";
import type { Principal } from "../domain/account.ts";
import type { NewId } from "../domain/feedback.ts";
import type { Repositories } from "../store/repositories.ts";

/** Input of an operation, with the types of the contract and the defaults of the query. */
export interface Input<Id extends OperationId> {
  readonly caller: Principal;
  readonly path: ParametersOf<operations[Id], "path">;
  readonly query: ParametersOf<operations[Id], "query">;
  readonly body: BodyOf<operations[Id]>;
  readonly isMergePatch: boolean;
  readonly isHead: boolean;
  readonly allowance: components["schemas"]["Allowance"];
  /** Entity tags, one of which must be current (C-COND-1). */
  readonly ifMatch?: string | undefined;
}

type Responses<Id extends OperationId> = operations[Id]["responses"];

/**
 * Output of an operation: a success status of the contract with its body. A creation adds the record's path, and a full
 * record its entity tag.
 */
export type Output<Id extends OperationId> = {
  [Status in SuccessOf<operations[Id]>]: {
    readonly status: Status;
    readonly body: JsonOf<Responses<Id>[Status]>;
  } & (Status extends 201 ? { readonly location: string } : unknown) &
    (Responses<Id>[Status] extends { headers: { ETag: string } } ? { readonly etag: string } : unknown) &
    (Responses<Id>[Status] extends { headers: { Link?: string } } ? { readonly cursors?: Cursors } : unknown);
}[SuccessOf<operations[Id]>];

/** Cursors of the pages beside a page of a list (C-LIST-3). */
export interface Cursors {
  readonly next: string | undefined;
  readonly prev: string | undefined;
}

/** Input of any operation, already checked against the contract. */
export interface Call {
  readonly caller: Principal;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Whether the body is a JSON merge patch (C-PATCH-1; RFC 7396). */
  readonly isMergePatch: boolean;
  /** Whether the request is a HEAD, of an operation that is a GET. */
  readonly isHead: boolean;
  /** What is left of the caller's allowance. */
  readonly allowance: components["schemas"]["Allowance"];
  /** The caller's `Idempotency-Key` (C-IDEM-1). */
  readonly idempotencyKey: string | undefined;
  /** The caller's conditions (C-COND-1). */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** What operations need besides the repositories. */
export interface Dependencies {
  readonly now: () => Date;
  readonly newId: NewId;
  /** Counts a read of a project by a caller that is not its owner (C-STATS-1). */
  readonly countView: (projectId: string) => void;
}

/** Load → decide → save → return. @throws DomainError when the request breaks a rule */
export type Operation<Id extends OperationId> = (
  input: Input<Id>,
  repositories: Repositories,
  dependencies: Dependencies,
) => Promise<Output<Id>>;

/** Every operation of the contract. It does not compile when one is missing. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> };
