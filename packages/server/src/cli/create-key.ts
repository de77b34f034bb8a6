import { type CreatedKey, createKey as newKeyRecord } from "../domain/key.ts";
import { digestOf } from "../domain/secret.ts";
import { newId } from "../service.ts";
import { AccountRepository } from "../store/account-repository.ts";
import type { Database } from "../store/database.ts";
import { KeyRepository } from "../store/key-repository.ts";
import { CommandError } from "./command-error.ts";

/** A key that was created, and whether its account is disabled: then the key does not work. */
export interface ShownKey extends CreatedKey {
  readonly disabled: boolean;
}

/**
 * Creates a key for an account.
 * @throws CommandError when there is no such account, or it has no role yet
 * @throws DomainError `key_limit`
 */
export async function createKey(
  database: Database,
  accountId: string,
  name: string,
  expiresInDays: number | null = null,
): Promise<ShownKey> {
  const account = await new AccountRepository(database).find(accountId);
  if (!account) {
    throw new CommandError(`There is no account ${accountId}. List them with: project-feedback accounts list`);
  }
  if (!account.role) {
    throw new CommandError(`The account ${accountId} has no role yet. Its holder chooses it at the next sign-in.`);
  }
  const created = newKeyRecord({ name, expiresInDays }, accountId, newId("key"), new Date());
  await new KeyRepository(database).insert(created.record, digestOf(created.key));
  return { ...created, disabled: account.disabled };
}
