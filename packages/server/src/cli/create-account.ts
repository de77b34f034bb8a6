import type { Account, Plan, Role } from "../domain/account.ts";
import { newId } from "../service.ts";
import { AccountRepository } from "../store/account-repository.ts";
import type { Database } from "../store/database.ts";

/** Creates an account. */
export async function createAccount(
  database: Database,
  fields: { name: string; role: Role; plan: Plan },
): Promise<Account> {
  const account: Account = { id: newId("acc"), ...fields, disabled: false, createdAt: new Date() };
  await new AccountRepository(database).insert(account);
  return account;
}
