import { digestOf } from "../domain/secret.ts";
import type { Database } from "./database.ts";

/** What is behind a token, by its kind. */
export interface OneTimeContents {
  /** A sign-in link. */
  readonly link: { readonly accountId: string };
  /** The challenge of a passkey that is registered. */
  readonly registration: { readonly accountId: string };
  /** The challenge of a sign-in by passkey. */
  readonly assertion: object;
  /** A sign-in by OpenID Connect that waits for the provider. */
  readonly oidc: { readonly state: string; readonly nonce: string; readonly codeVerifier: string };
}

type Kind = keyof OneTimeContents;

/** Secrets that can be used once, until a time, on any process; only their digests are stored (C-ACC-2). */
export class OneTimeTokens {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put<K extends Kind>(kind: K, secret: string, content: OneTimeContents[K], expiresAt: Date): Promise<void> {
    await this.#database.oneTimeTokens.insertOne({ _id: digestOf(secret), kind, expiresAt, content });
  }

  /** Uses a token up. Null where there is none of this kind, or it has expired; of several that try, one gets it. */
  async take<K extends Kind>(kind: K, secret: string, now: Date): Promise<OneTimeContents[K] | null> {
    const found = await this.#database.oneTimeTokens.findOneAndDelete({ _id: digestOf(secret), kind });
    return found && found.expiresAt > now ? (found.content as OneTimeContents[K]) : null;
  }
}
