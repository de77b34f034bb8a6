import { digestOf } from "../domain/secret.ts";
import { expiryOf, isTouchDue, type Session, type SessionClient, type SignedIn } from "../domain/session.ts";
import { AccountRepository } from "./account-repository.ts";
import type { Database, SessionDocument } from "./database.ts";

/** Most sessions that a list shows. */
const maxListed = 100;

function toSession({ _id, ...fields }: SessionDocument): Session {
  return fields;
}

/** Sessions in the database, by the digest of their cookies (C-ACC-2). They are not cached: one that ended has ended. */
export class SessionRepository {
  readonly #database: Database;
  readonly #accounts: AccountRepository;

  constructor(database: Database) {
    this.#database = database;
    this.#accounts = new AccountRepository(database);
  }

  async insert(session: Session, secret: string): Promise<void> {
    await this.#database.sessions.insertOne({ _id: digestOf(secret), ...session });
  }

  /** The session behind a cookie, which this prolongs; null where it has ended, or its account is disabled. */
  async use(secret: string, client: SessionClient, now: Date): Promise<SignedIn | null> {
    const _id = digestOf(secret);
    const document = await this.#database.sessions.findOne({ _id, expiresAt: { $gt: now } });
    const account = document && (await this.#accounts.find(document.accountId));
    if (!account || account.disabled) return null;
    const session = toSession(document);
    if (!isTouchDue(session, now)) return { session, account };
    const used = { ...client, lastSeenAt: now, expiresAt: expiryOf(session.createdAt, now) };
    // A session that was ended meanwhile is not brought back.
    const { matchedCount } = await this.#database.sessions.updateOne({ _id }, { $set: used });
    return matchedCount === 0 ? null : { session: { ...session, ...used }, account };
  }

  /** Live sessions of an account, the last used first. */
  async list(accountId: string, now: Date): Promise<Session[]> {
    const query = this.#database.sessions.find({ accountId, expiresAt: { $gt: now } });
    return (await query.sort({ lastSeenAt: -1, id: -1 }).limit(maxListed).toArray()).map(toSession);
  }

  /** Ends a session of an account. @returns whether there was one */
  async end(accountId: string, id: string): Promise<boolean> {
    return (await this.#database.sessions.deleteOne({ accountId, id })).deletedCount > 0;
  }

  /** Ends the session behind a cookie, if there is one. */
  async endBySecret(secret: string): Promise<void> {
    await this.#database.sessions.deleteOne({ _id: digestOf(secret) });
  }
}
