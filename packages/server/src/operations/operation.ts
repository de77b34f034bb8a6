import type { operations } from "@project-feedback/spec";
import type { OperationId } from "../contract.ts";
import type { Principal } from "../domain/account.ts";
import type { NewId } from "../domain/feedback.ts";
import type { Records } from "../store/records.ts";

type Parameters<Id extends OperationId, Place extends "path" | "query"> = NonNullable<
  operations[Id]["parameters"][Place]
>;

type JsonOf<Holder> = Holder extends { content: { "application/json": infer Body } } ? Body : undefined;

/** Input of an operation, as the contract types it; defaults of the query are filled in. */
export interface Input<Id extends OperationId> {
  readonly caller: Principal;
  readonly path: Parameters<Id, "path">;
  readonly query: Parameters<Id, "query">;
  readonly body: operations[Id] extends { requestBody: infer Sent } ? JsonOf<Sent> : undefined;
}

type Responses<Id extends OperationId> = operations[Id]["responses"];
type Success<Id extends OperationId> = Extract<keyof Responses<Id>, 200 | 201>;

/** Output of an operation: a success of the contract with its body, and where it creates, the record's path. */
export type Output<Id extends OperationId> = {
  [Status in Success<Id>]: {
    readonly status: Status;
    readonly body: JsonOf<Responses<Id>[Status]>;
  } & (Status extends 201 ? { readonly location: string } : unknown);
}[Success<Id>];

/** What operations need besides the records: clock and ids are passed in, and views are counted apart. */
export interface Surroundings {
  readonly now: () => Date;
  readonly newId: NewId;
  /** Notes that somebody other than the owner read a project (C-STATS-1). */
  readonly countView: (projectId: string) => void;
}

/** Load → decide → save → return. Refusals are thrown. */
export type Operation<Id extends OperationId> = (
  input: Input<Id>,
  records: Records,
  surroundings: Surroundings,
) => Promise<Output<Id>>;

/** Every operation of the contract: a missing one does not compile. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> };
