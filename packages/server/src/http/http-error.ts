import type { AccountComponents, components } from "@project-feedback/spec";
import { DomainError, type DomainErrorCode, type Fault } from "../domain/errors.ts";
import { ExpectedError } from "../domain/expected-error.ts";

/** What an error is about, for programs: the codes of v1 and of the account's own interface (C-ERR-5). */
type ErrorCode = components["schemas"]["ErrorCode"] | AccountComponents["schemas"]["ErrorCode"];

/** The closed table of errors: status, reason phrase and code, of a name (C-ERR-2; RFC 9110 section 15, RFC 6585). */
const httpErrors = {
  BadRequest: { status: 400, phrase: "Bad Request", code: "invalid_request" },
  Unauthorized: { status: 401, phrase: "Unauthorized", code: undefined },
  Forbidden: { status: 403, phrase: "Forbidden", code: "role_required" },
  NotFound: { status: 404, phrase: "Not Found", code: "path_not_found" },
  MethodNotAllowed: { status: 405, phrase: "Method Not Allowed", code: "method_not_allowed" },
  Conflict: { status: 409, phrase: "Conflict", code: "not_draft" },
  PreconditionFailed: { status: 412, phrase: "Precondition Failed", code: "not_current" },
  ContentTooLarge: { status: 413, phrase: "Content Too Large", code: "content_too_large" },
  UnsupportedMediaType: { status: 415, phrase: "Unsupported Media Type", code: "unsupported_media_type" },
  UnprocessableContent: { status: 422, phrase: "Unprocessable Content", code: "idempotency_key_reused" },
  TooManyRequests: { status: 429, phrase: "Too Many Requests", code: "rate_limited" },
  InternalServerError: { status: 500, phrase: "Internal Server Error", code: "internal_error" },
  ServiceUnavailable: { status: 503, phrase: "Service Unavailable", code: "unavailable" },
} as const satisfies {
  [Name in string & keyof components["schemas"]]?: {
    status: number;
    phrase: PhraseOf<Name>;
    code: ErrorCode | undefined;
  };
};

type PhraseOf<Name extends keyof components["schemas"]> = components["schemas"][Name] extends { error: infer Phrase }
  ? Phrase
  : never;

type HttpErrorName = keyof typeof httpErrors;

export interface HttpErrorOptions {
  /** Response headers that belong to the error, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the error is about, where its status alone does not say (C-ERR-5). */
  readonly code?: ErrorCode;
  /** What is wrong where; of a 400 only. */
  readonly details?: readonly Fault[];
  /** Why, for the log; never shown to the caller. */
  readonly cause?: unknown;
}

/** An error response: a public sentence, and a private cause. */
export class HttpError extends ExpectedError {
  override readonly name = "HttpError";
  readonly status: number;
  /** The reason phrase. */
  readonly phrase: string;
  /** Undefined for the 401, whose body is stated without a code (S-AUTH-2, C-ERR-5). */
  readonly code: ErrorCode | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly Fault[] | undefined;

  constructor(name: HttpErrorName, message: string, options: HttpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const { status, phrase, code } = httpErrors[name];
    this.status = status;
    this.phrase = phrase;
    this.code = options.code ?? code;
    this.headers = options.headers ?? {};
    this.details = options.details;
  }

  /** The body that a caller gets (C-ERR-1). */
  get body(): { error: string; message: string; code?: ErrorCode; details?: readonly Fault[] } {
    const { phrase, message, code, details } = this;
    return { error: phrase, message, ...(code && { code }), ...(details && { details }) };
  }
}

/** Most faults in one response (C-ERR-1). */
const maxDetails = 20;

/** A 400 with its faults, of which up to 20 are listed (C-ERR-1). */
export function badRequest(details: readonly Fault[]): HttpError {
  const [first] = details;
  const rest = (details.length - 1).toLocaleString("en");
  const where = first?.at ? `${first.in} ${first.at}` : (first?.in ?? "request");
  const more = details.length > 1 ? ` (and ${rest} more: see details)` : "";
  return new HttpError("BadRequest", `The ${where} ${first?.message ?? "is malformed"}${more}.`, {
    details: details.slice(0, maxDetails),
  });
}

/** A 404 for a path that the contract does not have. @param documentPath path of the contract */
export function pathNotFound(documentPath: string): HttpError {
  const message = `There is no such path. Compare it with the paths of the contract at ${documentPath}.`;
  return new HttpError("NotFound", message);
}

/** A 405 for a path outside the contract, which can be read alone. */
export function methodNotAllowed(method: string): HttpError {
  return new HttpError("MethodNotAllowed", `This path does not take ${method}. Use GET.`, {
    headers: { Allow: "HEAD, GET" },
  });
}

/** Which response a rule of the service gets (C-ERR-2). */
const nameOf: Readonly<Record<Exclude<DomainErrorCode, "invalid_input">, HttpErrorName>> = {
  project_not_found: "NotFound",
  feedback_not_found: "NotFound",
  role_required: "Forbidden",
  not_owner: "Forbidden",
  not_author: "Forbidden",
  not_draft: "Conflict",
  is_draft: "Conflict",
  not_submitted: "Conflict",
  project_not_active: "Conflict",
  invalid_transition: "Conflict",
  not_current: "PreconditionFailed",
  idempotency_key_reused: "UnprocessableContent",
  idempotency_key_in_use: "Conflict",
  link_invalid: "Forbidden",
  passkey_invalid: "Forbidden",
  account_disabled: "Forbidden",
  key_not_found: "NotFound",
  session_not_found: "NotFound",
  passkey_not_found: "NotFound",
  oidc_not_configured: "NotFound",
  key_limit: "Conflict",
  key_not_live: "Conflict",
  passkey_limit: "Conflict",
  role_chosen: "Conflict",
  role_not_chosen: "Conflict",
  oidc_unavailable: "ServiceUnavailable",
  other_origin: "Forbidden",
  oidc_failed: "Forbidden",
  sign_up_disabled: "Forbidden",
};

/** Seconds to wait before the next attempt, of errors that pass by themselves. */
const retryAfter: Partial<Record<DomainErrorCode, string>> = { idempotency_key_in_use: "1", oidc_unavailable: "10" };

/** The error response of an expected error; undefined for any other. */
export function asHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (!(error instanceof DomainError)) return undefined;
  if (error.code === "invalid_input") return badRequest(error.details);
  const seconds = retryAfter[error.code];
  const headers: Record<string, string> = seconds === undefined ? {} : { "Retry-After": seconds };
  return new HttpError(nameOf[error.code], error.message, { code: error.code, headers, cause: error.cause });
}
