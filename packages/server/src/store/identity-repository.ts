import { MongoServerError } from "mongodb";
import type { Account } from "../domain/account.ts";
import { digestOf } from "../domain/secret.ts";
import type { Database } from "./database.ts";

const duplicateKey = 11_000;

/** Who a provider of OpenID Connect says somebody is: issuer and subject, never an e-mail address (C-ACC-2). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Which accounts the identities of providers belong to. */
export class IdentityRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Id of the account that an identity belongs to; null for an unknown one. */
  async findAccount(identity: Identity): Promise<string | null> {
    return (
      (await this.#database.identities.findOne({ _id: idOf(identity) }, { readPreference: "primary" }))?.accountId ??
      null
    );
  }

  /**
   * Stores an identity with its new account, both or none.
   * @returns id of the identity's account, which another sign-in may have created at the same time
   */
  async createAccount({ issuer, subject }: Identity, { id, ...fields }: Account): Promise<string> {
    const session = this.#database.client.startSession();
    const document = { _id: idOf({ issuer, subject }), issuer, subject, accountId: id, createdAt: fields.createdAt };
    try {
      await session.withTransaction(async () => {
        await this.#database.identities.insertOne(document, { session });
        await this.#database.accounts.insertOne({ _id: id, ...fields }, { session });
      });
      return id;
    } catch (error) {
      const other = error instanceof MongoServerError && error.code === duplicateKey;
      const accountId = other ? await this.findAccount({ issuer, subject }) : null;
      if (accountId === null) throw error;
      return accountId;
    } finally {
      await session.endSession();
    }
  }
}

function idOf({ issuer, subject }: Identity): string {
  return digestOf(JSON.stringify([issuer, subject]));
}
