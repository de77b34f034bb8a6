import type { Account } from "../domain/account.ts";
import { DomainError } from "../domain/errors.ts";
import { maxNameLength } from "../domain/key.ts";
import { newSecret } from "../domain/secret.ts";
import type { AccountStore } from "../store/account-store.ts";
import { accountBody } from "./account.ts";
import { beginSession } from "./begin-session.ts";
import type { OidcClient, OidcPerson } from "./oidc-client.ts";
import type { AccountDependencies, AccountOperations, Cookie } from "./operation.ts";
import { relyingParty } from "./relying-party.ts";

/** A browser may take so long at the provider, in milliseconds: 10 minutes. */
const providerMs = 600_000;
const callbackPath = "/account/v1/sign-in/oidc/callback";
const noOidc: Cookie = { name: "oidc", value: "", maxAgeMs: 0 };

const settingsPath = "/settings";
const failedAt = (code: string) => `${settingsPath}#sign-in-error=${code}`;

function requireOidc(oidc: OidcClient | undefined): OidcClient {
  if (oidc) return oidc;
  const message = "No provider of OpenID Connect is configured here. Sign in with a link or a passkey.";
  throw new DomainError("oidc_not_configured", message);
}

export const signInOperations: Pick<
  AccountOperations,
  "getSignInChoices" | "signInWithLink" | "startOidcSignIn" | "finishOidcSignIn"
> = {
  async getSignInChoices({ origin, isAtOrigin }, _store, { oidc }) {
    const provider = oidc ? { issuer: oidc.settings.issuer, signUp: oidc.settings.signUp } : null;
    return { status: 200, body: { passkey: isAtOrigin, oidc: provider, settingsUrl: origin + settingsPath } };
  },

  async signInWithLink(call, store, dependencies) {
    const link = await store.tokens.take("link", call.body.token, dependencies.now());
    const account = link && (await store.accounts.find(link.accountId));
    if (!account) {
      const message = "The link was used, is older than an hour, or is incomplete. Get a new one.";
      throw new DomainError("link_invalid", message);
    }
    const cookie = await beginSession(account, "link", call, store, dependencies);
    return { status: 200, body: await accountBody(account, dependencies), cookies: [cookie] };
  },

  async startOidcSignIn(call, { tokens }, { oidc, now }) {
    const client = requireOidc(oidc);
    const { origin } = relyingParty(call);
    const { url, checks } = await client.start(origin + callbackPath);
    const secret = newSecret("pfc_");
    await tokens.put("oidc", secret, checks, new Date(now().getTime() + providerMs));
    return { status: 200, body: { url }, cookies: [{ name: "oidc", value: secret, maxAgeMs: providerMs }] };
  },

  async finishOidcSignIn(call, store, dependencies) {
    const client = requireOidc(dependencies.oidc);
    try {
      // The cookie binds the sign-in to this browser, and the state of the address to the sign-in.
      const { oidc: secret = "" } = call.cookies;
      const checks = await store.tokens.take("oidc", secret, dependencies.now());
      if (!checks) throw new DomainError("oidc_failed", "This browser has begun no sign-in, or has finished it.");
      const person = await client.finish(new URL(call.origin + call.target), checks);
      const account = await accountOf(person, client, store, dependencies);
      const session = await beginSession(account, "oidc", call, store, dependencies);
      return { status: 303, body: undefined, location: settingsPath, cookies: [session, noOidc] };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const reply = { status: 303, body: undefined, location: failedAt(error.code), cookies: [noOidc] } as const;
      return { ...reply, cause: error.cause instanceof Error ? error.cause.message : error.message };
    }
  },
};

/**
 * The account of a person. An unknown one gets an account on the Free plan, without a role (C-ACC-2).
 * @throws DomainError `sign_up_disabled`
 */
async function accountOf(
  { issuer, subject, name }: OidcPerson,
  { settings }: OidcClient,
  { accounts, identities }: AccountStore,
  { now, newId }: AccountDependencies,
): Promise<Account> {
  const known = await identities.findAccount({ issuer, subject });
  if (known === null && !settings.signUp) {
    throw new DomainError(
      "sign_up_disabled",
      "Only people who have an account can sign in here. Ask the operator for one.",
    );
  }
  const fields = { name: displayName(name), role: null, plan: "free", disabled: false, createdAt: now() } as const;
  const id = known ?? (await identities.createAccount({ issuer, subject }, { id: newId("acc"), ...fields }));
  const account = await accounts.find(id);
  if (account) return account;
  throw new DomainError("oidc_failed", "The account of this person was removed.");
}

function displayName(name = ""): string {
  return [...name.trim()].slice(0, maxNameLength).join("") || "New account";
}
