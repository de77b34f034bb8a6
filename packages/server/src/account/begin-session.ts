import type { Account } from "../domain/account.ts";
import { DomainError } from "../domain/errors.ts";
import { newSecret } from "../domain/secret.ts";
import { expiryOf, maxSessionMs, type Session, type SignInMethod } from "../domain/session.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { AccountCall, AccountDependencies, Cookie } from "./operation.ts";

/**
 * Begins a session and returns its cookie. A session that the browser has already is ended, and its cookie is never
 * used again, whoever set it (C-ACC-2).
 * @throws DomainError `account_disabled`
 */
export async function beginSession(
  account: Account,
  method: SignInMethod,
  { client, cookies }: Pick<AccountCall, "client" | "cookies">,
  { sessions }: AccountStore,
  { now, newId }: AccountDependencies,
): Promise<Cookie> {
  if (account.disabled) {
    throw new DomainError("account_disabled", "The account is disabled. Ask the operator of the service to enable it.");
  }
  const secret = newSecret("pfc_");
  const createdAt = now();
  const times = { createdAt, lastSeenAt: createdAt, expiresAt: expiryOf(createdAt, createdAt) };
  const session: Session = { id: newId("ses"), accountId: account.id, method, ...client, ...times };
  await sessions.insert(session, secret);
  if (cookies.session !== undefined) await sessions.endBySecret(cookies.session);
  return { name: "session", value: secret, maxAgeMs: maxSessionMs };
}
