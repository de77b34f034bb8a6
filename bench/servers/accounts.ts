import type { Principal } from "../../packages/server/src/domain/account.ts";
import { digestOf } from "../../packages/server/src/domain/key.ts";
import type { PeerDatabase } from "./database.ts";

const bearer = /^bearer +([^\s]+) *$/i;

/** The key in an `Authorization` header; undefined where there is none. */
export function keyIn(header: string | undefined): string | undefined {
  return bearer.exec(header ?? "")?.[1];
}

/**
 * Whose key it is, looked up anew for each request; null for a key that is unknown or revoked, or its account disabled.
 * Two finds by unique indexes are faster than one aggregate with `$lookup` (see bench/README.md).
 */
export async function principalOf(database: PeerDatabase, secret: string): Promise<Principal | null> {
  const key = await database.keys.findOne({ digest: digestOf(secret), revokedAt: null });
  const account = key && (await database.accounts.findOne({ _id: key.accountId, disabled: false }));
  return account && { accountId: account._id, keyId: key._id, role: account.role, plan: account.plan };
}
