import type { components } from "@project-feedback/spec";
import { ExpectedError } from "./expected-error.ts";

/** One fault of a request: its place and what is expected there (C-ERR-1). */
export type Fault = components["schemas"]["Fault"];

/** All reasons for which a rule rejects a request. */
export type DomainErrorCode =
  | "invalid_input"
  | "project_not_found"
  | "feedback_not_found"
  | "role_required"
  | "not_owner"
  | "not_author"
  | "not_draft"
  | "is_draft"
  | "not_submitted"
  | "project_not_active"
  | "invalid_transition"
  | "not_current"
  | "idempotency_key_reused"
  | "idempotency_key_in_use"
  // Of the account's own interface.
  | "link_invalid"
  | "passkey_invalid"
  | "account_disabled"
  | "key_not_found"
  | "session_not_found"
  | "passkey_not_found"
  | "oidc_not_configured"
  | "key_limit"
  | "key_not_live"
  | "passkey_limit"
  | "role_chosen"
  | "role_not_chosen"
  | "oidc_unavailable"
  | "other_origin"
  | "oidc_failed"
  | "sign_up_disabled";

/** A request breaks a rule of the service. The HTTP layer decides on the status. */
export class DomainError extends ExpectedError {
  override readonly name = "DomainError";
  readonly code: DomainErrorCode;
  /** The faults; only of `invalid_input`. */
  readonly details: readonly Fault[];

  /** @param message one sentence on what is wrong and one on what to do; callers see it */
  constructor(code: DomainErrorCode, message: string, details: readonly Fault[] = [], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** Input that is invalid for the stored records. */
export function invalidInput(details: readonly Fault[]): DomainError {
  return new DomainError("invalid_input", "The request has invalid input.", details);
}

/** The same error for an id that does not exist and for one that the caller may not see (C-ERR-3). */
export function notFound(what: "project" | "feedback"): DomainError {
  return new DomainError(`${what}_not_found`, `There is no such ${what}, or you may not see it. Check the id.`);
}
