import { setTimeout as sleep } from "node:timers/promises";
import type { ContractOperation } from "./contract/contract.ts";
import { type Deadline, deletionTimeoutMs, requestTimeoutMs } from "./deadline.ts";
import { namesTag } from "./domain/entity-tag.ts";
import { HttpError } from "./http/http-error.ts";
import { notModified, type Reply, type Response, toResponse } from "./http/response.ts";
import { executeOnce, requestIdentity } from "./idempotency.ts";
import type { Call, Dependencies, Operations } from "./operations/operation.ts";
import type { Repositories } from "./store/repositories.ts";
import type { Store } from "./store/store.ts";

/** Executes an operation: a read as it is, a write in one transaction. */
export type Execute = (operation: ContractOperation, call: Call, deadline: Deadline) => Promise<Response>;

type AnyOperation = (call: Call, repositories: Repositories, dependencies: Dependencies) => Promise<Reply>;

export function createExecute(store: Store, operations: Operations, dependencies: Dependencies): Execute {
  const execute = async (operation: ContractOperation, call: Call, deadline: Deadline): Promise<Response> => {
    // The types of the operation come from the contract that the call was checked against.
    const run = operations[operation.id] as unknown as AnyOperation;
    if (operation.method === "get") {
      const response = toResponse(await run(call, store.repositories, dependencies));
      const { ETag: etag } = response.headers;
      const isKnown = call.ifNoneMatch !== undefined && etag !== undefined && namesTag(call.ifNoneMatch, etag);
      return isKnown ? notModified(response) : response;
    }
    const write = async (repositories: Repositories) => toResponse(await run(call, repositories, dependencies));
    const options = { deadline, record: call.path.id ?? call.path.projectId };
    if (operation.method === "delete") {
      return failIfUnreachable(store, store.transaction(write, { ...options, alone: true }));
    }
    if (call.idempotencyKey === undefined) return store.transaction(write, options);
    return executeOnce(store, write, requestIdentity(operation.id, call), dependencies.now, options);
  };
  return (operation, call, deadline) => {
    if (operation.method === "delete") deadline.extend(deletionTimeoutMs - requestTimeoutMs);
    return deadline.race(execute(operation, call, deadline));
  };
}

/** How often the database is pinged while a long transaction runs; together with the wait for it less than 4.5 s. */
const pingEveryMs = 2_500;
const pingTimeoutMs = 1_500;

/** Waits for a long transaction as long as the database answers pings: else its caller would not hear of an outage. */
async function failIfUnreachable<Value>(store: Store, work: Promise<Value>): Promise<Value> {
  const done = work.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([done, sleep(pingEveryMs, false, { ref: false })]))) {
    if (await store.ping(pingTimeoutMs)) continue;
    throw new HttpError("ServiceUnavailable", "The service cannot reach its database. Try again shortly.", {
      headers: { "Retry-After": "2" },
    });
  }
  return work;
}
