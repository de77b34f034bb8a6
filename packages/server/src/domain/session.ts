import type { Account } from "./account.ts";

/** A session ends after so much time without use, in milliseconds: 12 hours (C-ACC-2). */
const idleMs = 43_200_000;
/** A session ends so long after it began, in milliseconds: 7 days (C-ACC-2). */
export const maxSessionMs = 604_800_000;
/** A session's last use is stored at most so often, in milliseconds, so that few requests write. */
const touchEveryMs = 60_000;

export type SignInMethod = "link" | "passkey" | "oidc";

/** Where a request comes from, as far as a session shows it. */
export interface SessionClient {
  /** The client's network, a /24 or a /64. */
  readonly network: string;
  /** The `User-Agent` header; empty without one. */
  readonly userAgent: string;
}

/** A session of an account, apart from its cookie, of which only a digest is stored (C-ACC-2). */
export interface Session extends SessionClient {
  readonly id: string;
  readonly accountId: string;
  readonly method: SignInMethod;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** When a session that is used now ends. */
export function expiryOf(createdAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + idleMs, createdAt.getTime() + maxSessionMs));
}

/** Whether the last use of a session is to be stored again. */
export function isTouchDue({ lastSeenAt }: Session, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= touchEveryMs;
}

/** A session and the account that is signed in. */
export interface SignedIn {
  readonly session: Session;
  readonly account: Account;
}
