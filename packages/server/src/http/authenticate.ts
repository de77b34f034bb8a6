import type { Deadline } from "../deadline.ts";
import type { Principal } from "../domain/account.ts";

/** Finds the account behind a key; null where the key is not valid. */
export type FindPrincipal = (key: string) => Promise<Principal | null>;

const bearer = /^bearer +([^\s]+) *$/i;

/** Who is asking: the account behind the key in `Authorization`; null without a valid one (S-AUTH-1, C-AUTH-1). */
export async function authenticate(
  authorization: string | undefined,
  findPrincipal: FindPrincipal,
  deadline: Deadline,
): Promise<Principal | null> {
  const key = bearer.exec(authorization ?? "")?.[1];
  return key === undefined ? null : deadline.race(findPrincipal(key));
}
