import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "./errors.ts";
import type { Operations, Surroundings } from "./operations/operation.ts";
import type { Answer, Call, Perform, Reply } from "./pipeline/perform.ts";
import { AnswerCollision, type SavedAnswer } from "./store/answer-records.ts";
import type { Records } from "./store/records.ts";
import type { Store } from "./store/store.ts";

type AnyOperation = (call: Call, records: Records, surroundings: Surroundings) => Promise<Reply>;

/** Longest that a transaction is tried again, in milliseconds. */
const patienceMs = 4_000;
/** A project may have to be deleted with a hundred thousand records. */
const deletionPatienceMs = 55_000;
/** While long work runs, the database is asked so often whether it is there; together less than 4.5 s. */
const askAfterMs = 2_500;
const answerWithinMs = 1_500;

/**
 * Runs operations: a read as it is, a write in one transaction. With an `Idempotency-Key` the first answer is kept in
 * that same transaction, so that work and record are never without each other, whatever crashes (C-IDEM-1).
 */
export function runOn(store: Store, operations: Operations, surroundings: Surroundings): Perform {
  return async (operation, call, send, key) => {
    // Input was checked against the contract from which the operation's types come.
    const run = operations[operation.id] as unknown as AnyOperation;
    if (operation.method === "get") return send(await run(call, store.records, surroundings));
    const work = async (records: Records) => send(await run(call, records, surroundings));
    const record = call.path.id ?? call.path.projectId;
    if (operation.method === "delete") {
      return whileItAnswers(store, store.transaction(work, { patienceMs: deletionPatienceMs, record, alone: true }));
    }
    if (key === undefined) return store.transaction(work, { patienceMs, record });

    const id = digest(call.caller.accountId, operation.id, JSON.stringify(call.path), key);
    const bodyDigest = digest(JSON.stringify(call.body ?? null));
    const kept = await store.records.answers.find(id);
    if (kept) return again(kept, bodyDigest);
    try {
      const claimed = async (records: Records) => {
        await records.answers.claim(id, bodyDigest, surroundings.now());
        const answer = await work(records);
        await records.answers.keep(id, answer);
        return answer;
      };
      return await store.transaction(claimed, { patienceMs, record, alone: true });
    } catch (error) {
      if (error instanceof AnswerCollision) return afterCollision(store, id, bodyDigest);
      if (error instanceof Refusal && error.status < 500) await keepRefusal(store, id, bodyDigest, error, surroundings);
      throw error;
    }
  };
}

/** Waits for long work for as long as the database answers others: its caller hears as soon as they that it is away. */
async function whileItAnswers<Value>(store: Store, work: Promise<Value>): Promise<Value> {
  const done = work.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([done, sleep(askAfterMs, false, { ref: false })]))) {
    if (await store.answers(answerWithinMs)) continue;
    throw new Refusal("ServiceUnavailable", "The service cannot reach its database. Try again shortly.", {
      headers: { "Retry-After": "2" },
    });
  }
  return work;
}

/** The first answer once more, where the body is the first one's too. */
function again(kept: SavedAnswer, bodyDigest: string): Answer {
  if (kept.bodyDigest === bodyDigest) return kept;
  throw new Refusal(
    "UnprocessableContent",
    "This Idempotency-Key was sent before with another body. Send a new key with a new body.",
  );
}

async function afterCollision(store: Store, id: string, bodyDigest: string): Promise<Answer> {
  const kept = await store.records.answers.find(id);
  if (kept) return again(kept, bodyDigest);
  throw new Refusal("Conflict", "A request with this Idempotency-Key is still running. Send it again in a second.", {
    headers: { "Retry-After": "1" },
  });
}

/** A refusal is the first answer as much as a success; nothing was done, so it can be kept afterwards. */
async function keepRefusal(
  store: Store,
  id: string,
  bodyDigest: string,
  refusal: Refusal,
  { now }: Surroundings,
): Promise<void> {
  const answer = { status: refusal.status, headers: refusal.headers, body: JSON.stringify(refusal.body) };
  try {
    const claimed = async ({ answers }: Records) => {
      await answers.claim(id, bodyDigest, now());
      await answers.keep(id, answer);
    };
    await store.transaction(claimed, { patienceMs, alone: true });
  } catch (error) {
    // Another request with the same key has kept its answer first: then that is the first one.
    if (!(error instanceof AnswerCollision)) throw error;
  }
}

function digest(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
