import { accountOperations as ownAccount } from "./account.ts";
import { keyOperations } from "./keys.ts";
import type { AccountOperations } from "./operation.ts";
import { passkeyOperations } from "./passkeys.ts";
import { sessionOperations } from "./sessions.ts";
import { signInOperations } from "./sign-in.ts";
import { usageOperations } from "./usage.ts";

/** Every operation of the account's own interface. */
export const accountOperations: AccountOperations = {
  ...ownAccount,
  ...keyOperations,
  ...usageOperations,
  ...sessionOperations,
  ...passkeyOperations,
  ...signInOperations,
};
