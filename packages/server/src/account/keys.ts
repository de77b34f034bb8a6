import type { AccountComponents } from "@project-feedback/spec";
import { DomainError } from "../domain/errors.ts";
import { createKey, endOfReplaced, type KeyRecord, maxLiveKeys, replaceKey } from "../domain/key.ts";
import { digestOf } from "../domain/secret.ts";
import type { SignedIn } from "../domain/session.ts";
import type { AccountOperations } from "./operation.ts";

type Schemas = AccountComponents["schemas"];

/** How long a list shows keys that have ended, in milliseconds: 30 days. */
const shownEndedMs = 2_592_000_000;
const maxShown = 100;

function keyBody(key: KeyRecord, now: Date): Schemas["Key"] {
  const { id, name, prefix, ending, createdAt, expiresAt, revokedAt, replacedBy, lastUsedAt, lastUsedFrom } = key;
  return {
    ...{ id, name, prefix, ending, status: statusOf(key, now), createdAt: createdAt.toISOString(), replacedBy },
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastUsedFrom,
  };
}

function statusOf({ revokedAt, expiresAt }: KeyRecord, now: Date): Schemas["KeyStatus"] {
  if (revokedAt) return "revoked";
  return expiresAt && expiresAt <= now ? "expired" : "active";
}

/** @throws DomainError `key_not_found`, also for a key of another account */
function requireKey(key: KeyRecord | null, { account }: SignedIn): KeyRecord {
  if (key?.accountId === account.id) return key;
  throw new DomainError("key_not_found", "There is no such key. List your keys and check its id.");
}

export const keyOperations: Pick<
  AccountOperations,
  "listKeys" | "createKey" | "renameKey" | "rotateKey" | "revokeKey"
> = {
  async listKeys({ caller }, { keys }, { now }) {
    const time = now();
    const endedAfter = new Date(time.getTime() - shownEndedMs);
    const found = await keys.listRecent(caller.account.id, endedAfter, maxShown);
    return { status: 200, body: { data: found.map((key) => keyBody(key, time)), limit: maxLiveKeys } };
  },

  async createKey({ caller, body }, { keys }, { now, newId }) {
    const { id: accountId, role } = caller.account;
    if (!role)
      throw new DomainError("role_not_chosen", "The account has no role yet. Choose developer or tester first.");
    const input = { name: body.name, expiresInDays: body.expiresInDays ?? null };
    const { record, key } = createKey(input, accountId, newId("key"), now());
    await keys.insert(record, digestOf(key));
    return { status: 201, body: { ...keyBody(record, record.createdAt), key } };
  },

  async renameKey({ caller, path, body }, { keys }, { now }) {
    requireKey(await keys.find(path.id), caller);
    const renamed = requireKey(await keys.rename(path.id, body.name), caller);
    return { status: 200, body: keyBody(renamed, now()) };
  },

  async rotateKey({ caller, path, body }, { keys }, { now, newId }) {
    const old = requireKey(await keys.find(path.id), caller);
    const { record, key } = replaceKey(old, newId("key"), now());
    await keys.replace(old, record, digestOf(key), endOfReplaced(old, body.keepDays ?? 0, record.createdAt));
    return { status: 201, body: { ...keyBody(record, record.createdAt), key } };
  },

  async revokeKey({ caller, path }, { keys }, { now }) {
    requireKey(await keys.find(path.id), caller);
    const revoked = requireKey(await keys.revoke(path.id, now()), caller);
    return { status: 200, body: keyBody(revoked, now()) };
  },
};
