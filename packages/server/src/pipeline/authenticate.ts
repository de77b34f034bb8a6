import type { Principal } from "../domain/account.ts";
import { within } from "./deadline.ts";
import type { Step } from "./exchange.ts";

const bearer = /^bearer +([^\s]+) *$/i;

/** Finds out whose key the request carries; a request without a valid one goes on without a principal (S-AUTH-1, C-AUTH-1). */
export function authenticate(principalOf: (key: string) => Promise<Principal | null>): Step {
  return async (exchange, next) => {
    const key = bearer.exec(exchange.get("Authorization"))?.[1];
    const principal = key === undefined ? null : await within(principalOf(key), exchange.state.deadline);
    if (principal) exchange.state.principal = principal;
    await next();
  };
}
