// Executes operations without a socket, by the code that serves requests.

import { createExecute, Deadline, newId } from "@project-feedback/server";
import { type ContractOperation, loadContract, type OperationId } from "@project-feedback/server/contract";
import type { Principal } from "@project-feedback/server/domain/account";
import { type Call, operations } from "@project-feedback/server/operations";
import type { Database } from "@project-feedback/server/store/database";
import { Store } from "@project-feedback/server/store/store";

/** The input of an operation. */
export type Input = Partial<Omit<Call, "caller">> & { readonly caller: Principal };

/** Executes an operation. @throws Error or DomainError */
export type Executor = (
  id: OperationId,
  input: Input,
) => Promise<{ readonly body: string; readonly headers: Readonly<Record<string, string>> }>;

/** Executes operations on a database; views are not counted. */
export function createExecutor(database: Database): Executor {
  const contract = loadContract();
  const execute = createExecute(new Store(database), operations, {
    ...{ now: () => new Date(), newId, countView: () => undefined },
  });
  const allowance = { limit: 0, remaining: 0, reset: 0 };
  const operationOf = (id: OperationId): ContractOperation<OperationId> => {
    const operation = contract.operations.get(id);
    if (!operation) throw new Error(`The contract has no operation ${id}.`);
    return operation;
  };
  return (id, { caller, path = {}, query = {}, body, idempotencyKey }) => {
    const call = { caller, path, query, body, idempotencyKey, isMergePatch: false, isHead: false, allowance };
    return execute(operationOf(id), call, new Deadline(60_000));
  };
}

/** An account of the team plan. */
export function principalOf(accountId: string, role: Principal["role"]): Principal {
  return { accountId, keyId: "", role, plan: "team" };
}
