import { createHash } from "node:crypto";
import { DomainError } from "./domain/errors.ts";
import { asHttpError } from "./http/http-error.ts";
import { errorResponse, type Response } from "./http/response.ts";
import type { Call } from "./operations/operation.ts";
import { IdempotencyConflictError, type StoredResponse } from "./store/idempotency-repository.ts";
import type { Repositories } from "./store/repositories.ts";
import type { Store, TransactionOptions } from "./store/store.ts";

/** What makes two requests with an `Idempotency-Key` the same one, and what must then be equal in both. */
export interface RequestIdentity {
  /** Digest of account, operation, path and key. */
  readonly id: string;
  readonly bodyDigest: string;
}

export function requestIdentity(operationId: string, call: Call): RequestIdentity {
  const { caller, path, body = null, isMergePatch, idempotencyKey = "" } = call;
  return {
    id: digest(caller.accountId, operationId, JSON.stringify(path), idempotencyKey),
    // The same JSON means something else as a merge patch (C-PATCH-1).
    bodyDigest: digest(JSON.stringify(body), ...(isMergePatch ? ["merge patch"] : [])),
  };
}

/**
 * Executes a write once for its `Idempotency-Key`: a later request with the same key gets the first response again. The
 * response is stored in the transaction of the write, so that a crash keeps both or neither (C-IDEM-1).
 * @throws DomainError when the key was used with another body, or the first request is still running
 */
export async function executeOnce(
  store: Store,
  write: (repositories: Repositories) => Promise<Response>,
  request: RequestIdentity,
  now: () => Date,
  options: TransactionOptions,
): Promise<Response> {
  const stored = await store.repositories.idempotency.find(request.id);
  if (stored) return replay(stored, request);
  try {
    return await store.transaction(
      async (repositories) => {
        await repositories.idempotency.claim(request.id, request.bodyDigest, now());
        const response = await write(repositories).catch(refusalOf);
        await repositories.idempotency.save(request.id, response);
        return response;
      },
      { ...options, alone: true },
    );
  } catch (error) {
    if (error instanceof IdempotencyConflictError) return replayAfterConflict(store, request);
    throw error;
  }
}

/**
 * A refusal is a first response too. It is stored in the same transaction: were it stored afterwards, another request
 * with the same key could succeed in between. An operation decides before it writes, so there is nothing to undo.
 */
function refusalOf(error: unknown): Response {
  const refusal = asHttpError(error);
  if (refusal === undefined || refusal.status >= 500) throw error;
  return errorResponse(refusal);
}

/** The first response again, where the body is the first one's too. */
function replay(stored: StoredResponse, { bodyDigest }: RequestIdentity): Response {
  if (stored.bodyDigest === bodyDigest) {
    return { ...stored, headers: { ...stored.headers, "Idempotency-Replayed": "true" } };
  }
  const message = "This Idempotency-Key was sent before with another body. Send a new key with a new body.";
  throw new DomainError("idempotency_key_reused", message);
}

async function replayAfterConflict(store: Store, request: RequestIdentity): Promise<Response> {
  const stored = await store.repositories.idempotency.find(request.id);
  if (stored) return replay(stored, request);
  const message = "A request with this Idempotency-Key is still running. Send it again in a second.";
  throw new DomainError("idempotency_key_in_use", message);
}

function digest(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
