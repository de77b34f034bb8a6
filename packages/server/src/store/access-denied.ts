import { MongoServerError } from "mongodb";

// UserNotFound, Unauthorized, AuthenticationFailed, MechanismUnavailable, and AtlasError for a failed login.
const notAuthenticated = new Set([11, 18, 334, 8000]);
const notAuthorized = 13;

/** Why MongoDB refuses a client: who it is could not be proven, or it lacks a right. */
export function accessDenied(error: unknown): "authentication" | "authorization" | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof MongoServerError)) continue;
    if (cause.code === notAuthorized) {
      // A client without a user gets this code too.
      return /requires authentication/.test(cause.message) ? "authentication" : "authorization";
    }
    if (notAuthenticated.has(Number(cause.code))) return "authentication";
  }
  return undefined;
}
