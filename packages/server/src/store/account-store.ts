import { AccountRepository } from "./account-repository.ts";
import type { Database } from "./database.ts";
import { IdentityRepository } from "./identity-repository.ts";
import { KeyRepository } from "./key-repository.ts";
import { OneTimeTokens } from "./one-time-tokens.ts";
import { PasskeyRepository } from "./passkey-repository.ts";
import { SessionRepository } from "./session-repository.ts";
import { UsageRepository } from "./usage-repository.ts";

/** What the operations of the account's own interface read and write. */
export interface AccountStore {
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository;
  readonly sessions: SessionRepository;
  readonly tokens: OneTimeTokens;
  readonly passkeys: PasskeyRepository;
  readonly identities: IdentityRepository;
  readonly usage: UsageRepository;
}

export function createAccountStore(database: Database): AccountStore {
  return {
    accounts: new AccountRepository(database),
    keys: new KeyRepository(database),
    sessions: new SessionRepository(database),
    tokens: new OneTimeTokens(database),
    passkeys: new PasskeyRepository(database),
    identities: new IdentityRepository(database),
    usage: new UsageRepository(database),
  };
}
