// Operations performed without a socket, by the code that serves requests.

import { type ContractOperation, loadContract, type OperationId } from "../../packages/server/src/contract.ts";
import type { Principal } from "../../packages/server/src/domain/account.ts";
import { operations } from "../../packages/server/src/operations/index.ts";
import type { Answer, Call, Reply } from "../../packages/server/src/pipeline/perform.ts";
import { runOn } from "../../packages/server/src/run.ts";
import { newId } from "../../packages/server/src/service.ts";
import type { Database } from "../../packages/server/src/store/database.ts";
import { Store } from "../../packages/server/src/store/store.ts";

/** A request, as an operation gets it. */
export type Request = Partial<Omit<Call, "caller">> & { readonly caller: Principal; readonly key?: string };

/** Performs an operation. @throws Error or Refusal where it is not done */
export type PerformOne = (id: OperationId, request: Request) => Promise<Answer>;

/** Performs operations on a database, one at a time; views are not counted. */
export function performerOn(database: Database): PerformOne {
  const contract = loadContract();
  const surroundings = { now: () => new Date(), newId, countView: () => undefined };
  const run = runOn(new Store(database), operations, surroundings);
  const send = ({ status, body }: Reply): Answer => ({ status, headers: {}, body: JSON.stringify(body) });
  const operationOf = (id: OperationId): ContractOperation => {
    const operation = contract.operations.get(id);
    if (!operation) throw new Error(`the contract has no ${id}`);
    return operation;
  };
  return (id, { caller, path = {}, query = {}, body, key }) =>
    run(operationOf(id), { caller, path, query, body }, send, key);
}

/** A caller of either role. */
export function callerOf(accountId: string, role: Principal["role"]): Principal {
  return { accountId, keyId: "", role, plan: "team" };
}
