import type { ClientAuth, Configuration } from "openid-client";
import { DomainError } from "../domain/errors.ts";
import type { Identity } from "../store/identity-repository.ts";

/** How a provider of OpenID Connect is used. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether a person without an account gets one. */
  readonly signUp: boolean;
}

/** What a sign-in must remember until the browser comes back. */
export interface OidcChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Who the provider says somebody is, with the name it gives them. */
export interface OidcPerson extends Identity {
  readonly name: string | undefined;
}

/** The provider has not answered a request after so many seconds. */
const timeoutSeconds = 5;
/** The provider's metadata is read again after so many milliseconds: an hour. */
const metadataMs = 3_600_000;

// It is loaded with the first sign-in: most servers have no provider.
const library = () => import("openid-client");

/** A provider of OpenID Connect: discovery, code flow, PKCE, state and nonce (OpenID Connect Core section 3.1). */
export class OidcClient {
  readonly settings: OidcSettings;
  #configuration: { readonly promise: Promise<Configuration>; readonly until: number } | undefined;

  constructor(settings: OidcSettings) {
    this.settings = settings;
  }

  /**
   * Begins a sign-in.
   * @returns the address at the provider, and what must be remembered
   * @throws DomainError `oidc_unavailable`
   */
  async start(redirectUri: string): Promise<{ readonly url: string; readonly checks: OidcChecks }> {
    const client = await library();
    const configuration = await this.#discover();
    const codeVerifier = client.randomPKCECodeVerifier();
    const checks = { state: client.randomState(), nonce: client.randomNonce(), codeVerifier };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: "openid profile",
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
    });
    return { url: url.href, checks };
  }

  /**
   * Finishes a sign-in: exchanges the code and checks the ID token.
   * @param returned the address that the provider sent the browser to
   * @throws DomainError `oidc_unavailable`, or `oidc_failed` where anything does not match
   */
  async finish(returned: URL, { state, nonce, codeVerifier }: OidcChecks): Promise<OidcPerson> {
    const client = await library();
    const configuration = await this.#discover();
    const expected = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    };
    const tokens = await client.authorizationCodeGrant(configuration, returned, expected).catch((error: unknown) => {
      throw isAway(error) ? unavailable(error) : failed(error);
    });
    const claims = tokens.claims();
    if (!claims) throw failed(new Error("There is no ID token."));
    return { issuer: claims.iss, subject: claims.sub, name: typeof claims.name === "string" ? claims.name : undefined };
  }

  #discover(): Promise<Configuration> {
    const now = performance.now();
    if (this.#configuration && now < this.#configuration.until) return this.#configuration.promise;
    const promise = this.#load();
    const entry = { promise, until: now + metadataMs };
    this.#configuration = entry;
    return promise.catch((error: unknown) => {
      if (this.#configuration === entry) this.#configuration = undefined;
      throw unavailable(error);
    });
  }

  async #load(): Promise<Configuration> {
    const client = await library();
    const { issuer, clientId, clientSecret } = this.settings;
    const server = new URL(issuer);
    const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
    // OpenID Connect Discovery section 3: a provider that names no method takes basic.
    const authenticate: ClientAuth = (metadata, ...rest) => {
      const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
      return (methods.includes("client_secret_basic") ? basic : post)(metadata, ...rest);
    };
    return client.discovery(server, clientId, clientSecret, authenticate, {
      timeout: timeoutSeconds,
      // Plain HTTP is accepted of a provider on this machine alone; see config.ts.
      execute: [
        client.enableNonRepudiationChecks,
        ...(server.protocol === "http:" ? [client.allowInsecureRequests] : []),
      ],
    });
  }
}

function unavailable(error: unknown): DomainError {
  const message = "The provider of OpenID Connect cannot be reached. Try again shortly, or sign in in another way.";
  return new DomainError("oidc_unavailable", message, [], { cause: withoutDetails(error) });
}

function failed(error: unknown): DomainError {
  const message = "The sign-in at the provider did not succeed. Start it again.";
  return new DomainError("oidc_failed", message, [], { cause: withoutDetails(error) });
}

/** The library's errors carry responses and parameters, with codes in them, which no log may have (C-ACC-3). */
function withoutDetails(error: unknown): Error {
  const { code, error: reason, message } = error as { code?: string; error?: string; message: string };
  return new Error([code, reason, message].filter((part) => part !== undefined).join(": "));
}

/** Whether the provider did not answer. */
function isAway(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  return code === "OAUTH_TIMEOUT" || name === "TimeoutError" || (name === "TypeError" && code === undefined);
}
