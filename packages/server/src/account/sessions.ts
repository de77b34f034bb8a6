import { DomainError } from "../domain/errors.ts";
import type { AccountOperations, Cookie } from "./operation.ts";

/** Removes the session cookie. */
const noSession: Cookie = { name: "session", value: "", maxAgeMs: 0 };

export const sessionOperations: Pick<AccountOperations, "listSessions" | "endSession" | "signOut"> = {
  async listSessions({ caller }, { sessions }, { now }) {
    const found = await sessions.list(caller.account.id, now());
    const data = found.map(({ id, method, createdAt, lastSeenAt, expiresAt, network, userAgent }) => ({
      ...{ id, method, network, userAgent, current: id === caller.session.id },
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }));
    return { status: 200, body: { data } };
  },

  async endSession({ caller, path }, { sessions }) {
    if (!(await sessions.end(caller.account.id, path.id))) {
      throw new DomainError("session_not_found", "There is no such session. It may have ended; list your sessions.");
    }
    return { status: 200, body: { success: true, message: "The session was ended." } };
  },

  async signOut({ caller }, { sessions }) {
    await sessions.end(caller.account.id, caller.session.id);
    return { status: 200, body: { success: true, message: "You are signed out." }, cookies: [noSession] };
  },
};
