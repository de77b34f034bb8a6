import type { AccountComponents } from "@project-feedback/spec";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { DomainError } from "../domain/errors.ts";
import { maxPasskeys, type Passkey } from "../domain/passkey.ts";
import { accountBody } from "./account.ts";
import { beginSession } from "./begin-session.ts";
import type { AccountOperations } from "./operation.ts";
import { relyingParty } from "./relying-party.ts";

/** A challenge can be used for so long, in milliseconds: 5 minutes. */
const challengeMs = 300_000;

/** Ed25519, ES256 and RS256, which all authenticators have one of. Asking Node for more writes warnings to the log. */
const algorithms = [-8, -7, -257] as const;

// The library and what it needs take 10 MB: it is loaded when somebody uses a passkey.
const library = () => import("@simplewebauthn/server");

function passkeyBody({ id, name, backedUp, createdAt, lastUsedAt }: Passkey) {
  const times = { createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
  return { id, name, backedUp, ...times };
}

function requireRoom(passkeys: readonly Passkey[]): void {
  if (passkeys.length < maxPasskeys) return;
  const message = `The account has ${maxPasskeys} passkeys, the most it may have. Remove one that is no longer needed.`;
  throw new DomainError("passkey_limit", message);
}

function invalid(cause?: unknown): DomainError {
  const message = "The passkey is unknown here, or its answer came too late. Try again, or sign in in another way.";
  return new DomainError("passkey_invalid", message, [], cause === undefined ? undefined : { cause });
}

/**
 * The result of a verification, which uses up the challenge.
 * @param take uses a challenge up, and tells whether it was this account's, or a visitor's
 * @throws DomainError `passkey_invalid` in place of what the library throws; an error of `take` as it is
 */
async function verified<Result extends { readonly verified: boolean }>(
  take: (challenge: string) => Promise<boolean>,
  verify: (expectedChallenge: (challenge: string) => Promise<boolean>) => Promise<Result>,
): Promise<Extract<Result, { verified: true }>> {
  const failures: unknown[] = [];
  const expectedChallenge = async (challenge: unknown) => {
    // What the client sent may have no challenge, or one of another type.
    if (typeof challenge !== "string") return false;
    return take(challenge).catch((error: unknown) => {
      failures.push(error);
      return false;
    });
  };
  const result = await verify(expectedChallenge).catch((error: unknown) => {
    throw failures.length > 0 ? failures[0] : invalid(error);
  });
  if (!result.verified) throw invalid();
  return result as Extract<Result, { verified: true }>;
}

export const passkeyOperations: Pick<
  AccountOperations,
  "listPasskeys" | "createPasskeyOptions" | "addPasskey" | "removePasskey" | "createSignInOptions" | "signInWithPasskey"
> = {
  async listPasskeys({ caller }, { passkeys }) {
    return { status: 200, body: { data: (await passkeys.list(caller.account.id)).map(passkeyBody) } };
  },

  async createPasskeyOptions(call, { passkeys, tokens }, { now }) {
    const { id: accountId, name } = call.caller.account;
    const { rpId } = relyingParty(call);
    const existing = await passkeys.list(accountId);
    requireRoom(existing);
    const { generateRegistrationOptions } = await library();
    const options = await generateRegistrationOptions({
      rpName: "Project Feedback Service",
      rpID: rpId,
      userID: new TextEncoder().encode(accountId),
      userName: name,
      userDisplayName: name,
      supportedAlgorithmIDs: [...algorithms],
      timeout: challengeMs,
      excludeCredentials: existing.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: [...transports],
      })),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    });
    await tokens.put("registration", options.challenge, { accountId }, new Date(now().getTime() + challengeMs));
    return { status: 200, body: options as AccountComponents["schemas"]["PasskeyCreationOptions"] };
  },

  async addPasskey(call, { passkeys, tokens }, { now, newId }) {
    const { caller, body } = call;
    const { id: accountId } = caller.account;
    const { origin, rpId } = relyingParty(call);
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await verified(
      async (challenge) => (await tokens.take("registration", challenge, now()))?.accountId === accountId,
      (expectedChallenge) =>
        verifyRegistrationResponse({
          response: { clientExtensionResults: {}, ...body.credential } as RegistrationResponseJSON,
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpId,
          requireUserVerification: true,
          supportedAlgorithmIDs: [...algorithms],
        }),
    );
    requireRoom(await passkeys.list(accountId));
    const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
    const passkey: Passkey = {
      ...{ id: newId("psk"), accountId, name: body.name, credentialId, publicKey, counter, transports },
      ...{ backedUp: registrationInfo.credentialBackedUp, createdAt: now(), lastUsedAt: null },
    };
    if (!(await passkeys.insert(passkey))) {
      throw new DomainError("passkey_limit", "This passkey was added before. Use it, or add another one.");
    }
    return { status: 201, body: passkeyBody(passkey) };
  },

  async removePasskey({ caller, path }, { passkeys }) {
    if (!(await passkeys.remove(caller.account.id, path.id))) {
      throw new DomainError("passkey_not_found", "There is no such passkey. List your passkeys and check its id.");
    }
    return { status: 200, body: { success: true, message: "The passkey was removed." } };
  },

  async createSignInOptions(call, { tokens }, { now }) {
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: relyingParty(call).rpId,
      userVerification: "required",
      timeout: challengeMs,
    });
    await tokens.put("assertion", options.challenge, {}, new Date(now().getTime() + challengeMs));
    return { status: 200, body: options };
  },

  async signInWithPasskey(call, store, dependencies) {
    const { accounts, passkeys, tokens } = store;
    const { now } = dependencies;
    const { credential } = call.body;
    const { origin, rpId } = relyingParty(call);
    const passkey = await passkeys.findByCredential(credential.id);
    if (!passkey) throw invalid();
    const { credentialId: id, publicKey, counter, transports } = passkey;
    const { verifyAuthenticationResponse } = await library();
    const { authenticationInfo } = await verified(
      async (challenge) => (await tokens.take("assertion", challenge, now())) !== null,
      (expectedChallenge) =>
        verifyAuthenticationResponse({
          response: { clientExtensionResults: {}, ...credential } as AuthenticationResponseJSON,
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpId,
          credential: { id, publicKey: new Uint8Array(publicKey), counter, transports: [...transports] },
          requireUserVerification: true,
        }),
    );
    const { newCounter, credentialBackedUp } = authenticationInfo;
    const isCurrent = await passkeys.recordUse(passkey, newCounter, credentialBackedUp, now());
    const account = isCurrent ? await accounts.find(passkey.accountId) : null;
    if (!account) throw invalid();
    const cookie = await beginSession(account, "passkey", call, store, dependencies);
    return { status: 200, body: await accountBody(account, dependencies), cookies: [cookie] };
  },
};
