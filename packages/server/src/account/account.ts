import type { AccountComponents } from "@project-feedback/spec";
import type { Account } from "../domain/account.ts";
import { DomainError } from "../domain/errors.ts";
import type { AccountDependencies, AccountOperations, Window } from "./operation.ts";

type Schemas = AccountComponents["schemas"];

export function windowBody({ limit, remaining, resetsAt }: Window): Schemas["Window"] {
  return { limit, remaining, resetsAt: resetsAt?.toISOString() ?? null };
}

/** The account in a response. */
export async function accountBody(account: Account, { windowOf }: AccountDependencies): Promise<Schemas["Account"]> {
  const { id, name, role, plan, createdAt } = account;
  return { id, name, role, plan, createdAt: createdAt.toISOString(), window: windowBody(await windowOf(account)) };
}

export const accountOperations: Pick<AccountOperations, "getAccount" | "chooseRole"> = {
  async getAccount({ caller }, _store, dependencies) {
    return { status: 200, body: await accountBody(caller.account, dependencies) };
  },

  async chooseRole({ caller, body }, { accounts }, dependencies) {
    const account = await accounts.chooseRole(caller.account.id, body.role);
    if (account) return { status: 200, body: await accountBody(account, dependencies) };
    throw new DomainError("role_chosen", "The role of the account was chosen before. Ask the operator to change it.");
  },
};
