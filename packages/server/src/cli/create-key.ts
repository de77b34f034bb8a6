import { digestOf, type KeyRecord, newKey, prefixOf } from "../domain/key.ts";
import { newId } from "../service.ts";
import { AccountRepository } from "../store/account-repository.ts";
import type { Database } from "../store/database.ts";
import { KeyRepository } from "../store/key-repository.ts";
import { CommandError } from "./command-error.ts";

/** A key that was created. */
export interface CreatedKey {
  readonly record: KeyRecord;
  /** The key itself, which is stored nowhere (S-AUTH-3, C-KEY-1). */
  readonly key: string;
  /** Whether its account is disabled: then the key does not work. */
  readonly disabled: boolean;
}

/**
 * Creates a key for an account.
 * @throws CommandError when there is no such account
 */
export async function createKey(database: Database, accountId: string, name: string): Promise<CreatedKey> {
  const account = await new AccountRepository(database).find(accountId);
  if (!account) {
    throw new CommandError(`There is no account ${accountId}. List them with: project-feedback accounts list`);
  }
  const key = newKey();
  const record: KeyRecord = {
    id: newId("key"),
    accountId,
    name,
    prefix: prefixOf(key),
    createdAt: new Date(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await new KeyRepository(database).insert(record, digestOf(key));
  return { record, key, disabled: account.disabled };
}
