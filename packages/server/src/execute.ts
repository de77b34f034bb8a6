import type { ContractOperation, OperationId } from "./contract/contract.ts";
import type { Deadline } from "./deadline.ts";
import { namesTag } from "./domain/entity-tag.ts";
import { notModified, type Reply, type Response, toResponse } from "./http/response.ts";
import { executeOnce, requestIdentity } from "./idempotency.ts";
import type { Call, Dependencies, Operations } from "./operations/operation.ts";
import type { Repositories } from "./store/repositories.ts";
import type { Store } from "./store/store.ts";

/** Executes an operation: a read as it is, a write in one transaction. */
export type Execute = (operation: ContractOperation<OperationId>, call: Call, deadline: Deadline) => Promise<Response>;

type AnyOperation = (call: Call, repositories: Repositories, dependencies: Dependencies) => Promise<Reply>;

export function createExecute(store: Store, operations: Operations, dependencies: Dependencies): Execute {
  const execute = async (
    operation: ContractOperation<OperationId>,
    call: Call,
    deadline: Deadline,
  ): Promise<Response> => {
    // The types of the operation come from the contract that the call was checked against.
    const run = operations[operation.id] as unknown as AnyOperation;
    const target = { path: pathOf(operation.path, call.path), query: call.query };
    if (operation.method === "get") {
      const response = toResponse(await run(call, store.repositories, dependencies), target);
      const { ETag: etag } = response.headers;
      const isKnown = call.ifNoneMatch !== undefined && etag !== undefined && namesTag(call.ifNoneMatch, etag);
      return isKnown ? notModified(response) : response;
    }
    const write = async (repositories: Repositories) => toResponse(await run(call, repositories, dependencies), target);
    const record = call.path.id ?? call.path.projectId;
    const options = { deadline, record, account: call.caller.accountId };
    if (call.idempotencyKey === undefined) return store.transaction(write, options);
    return executeOnce(store, write, requestIdentity(operation.id, call), dependencies.now, options);
  };
  return (operation, call, deadline) => deadline.race(execute(operation, call, deadline));
}

/** The path of a request, below the base address. */
function pathOf(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
}
