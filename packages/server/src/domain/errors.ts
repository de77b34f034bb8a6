import type { components } from "@project-feedback/spec";

/** One thing that is wrong with a request: where, and what is expected (C-ERR-1). */
export type Fault = components["schemas"]["Fault"];

/** The closed list of reasons for which a rule turns a request down. */
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
  | "idempotency_key_in_use";

/** A rule of the service that a request does not meet. The HTTP layer decides on the status. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: DomainErrorCode;
  /** What is wrong where; of `invalid_input` only. */
  readonly details: readonly Fault[];

  /** @param message one sentence on what is wrong and one on what to do; callers see it */
  constructor(code: DomainErrorCode, message: string, details: readonly Fault[] = []) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Input that only stored records show to be wrong. */
export function invalidInput(details: readonly Fault[]): DomainError {
  return new DomainError("invalid_input", "The request has invalid input.", details);
}

/** The same error for an id that does not exist and for one that the caller may not see (C-ERR-3). */
export function notFound(what: "project" | "feedback"): DomainError {
  return new DomainError(`${what}_not_found`, `There is no such ${what}, or you may not see it. Check the id.`);
}
