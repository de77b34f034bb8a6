import type { Deadline } from "../deadline.ts";
import type { Principal } from "../domain/account.ts";

/** Finds the account behind a key that a client's address sends; null where the key is not valid. */
export type FindPrincipal = (key: string, address: string) => Principal | null | Promise<Principal | null>;

const bearer = /^bearer +([^\s]+) *$/i;

/** Who is asking: the account behind the key in `Authorization`; null without a valid one (S-AUTH-1, C-AUTH-1). */
export function authenticate(
  authorization: string | undefined,
  address: string,
  findPrincipal: FindPrincipal,
  deadline: Deadline,
): Principal | null | Promise<Principal | null> {
  const key = bearer.exec(authorization ?? "")?.[1];
  const found = key === undefined ? null : findPrincipal(key, address);
  return found instanceof Promise ? deadline.race(found) : found;
}
