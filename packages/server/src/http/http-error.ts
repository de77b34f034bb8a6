import type { components } from "@project-feedback/spec";
import { DomainError, type DomainErrorCode, type Fault } from "../domain/errors.ts";

/** The closed table of errors: name → status and reason phrase (C-ERR-2; RFC 9110 section 15, RFC 6585). */
const httpErrors = {
  BadRequest: { status: 400, phrase: "Bad Request" },
  Unauthorized: { status: 401, phrase: "Unauthorized" },
  Forbidden: { status: 403, phrase: "Forbidden" },
  NotFound: { status: 404, phrase: "Not Found" },
  MethodNotAllowed: { status: 405, phrase: "Method Not Allowed" },
  Conflict: { status: 409, phrase: "Conflict" },
  PreconditionFailed: { status: 412, phrase: "Precondition Failed" },
  ContentTooLarge: { status: 413, phrase: "Content Too Large" },
  UnsupportedMediaType: { status: 415, phrase: "Unsupported Media Type" },
  UnprocessableContent: { status: 422, phrase: "Unprocessable Content" },
  TooManyRequests: { status: 429, phrase: "Too Many Requests" },
  InternalServerError: { status: 500, phrase: "Internal Server Error" },
  ServiceUnavailable: { status: 503, phrase: "Service Unavailable" },
} as const satisfies {
  [Name in string & keyof components["schemas"]]?: { status: number; phrase: PhraseOf<Name> };
};

type PhraseOf<Name extends keyof components["schemas"]> = components["schemas"][Name] extends { error: infer Phrase }
  ? Phrase
  : never;

type HttpErrorName = keyof typeof httpErrors;

export interface HttpErrorOptions {
  /** Response headers that belong to the error, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is wrong where; of a 400 only. */
  readonly details?: readonly Fault[];
  /** Why, for the log; never shown to the caller. */
  readonly cause?: unknown;
}

/** An error response: a public sentence, and a private cause. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  /** The reason phrase. */
  readonly phrase: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly Fault[] | undefined;

  constructor(name: HttpErrorName, message: string, options: HttpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const { status, phrase } = httpErrors[name];
    this.status = status;
    this.phrase = phrase;
    this.headers = options.headers ?? {};
    this.details = options.details;
  }

  /** The body that a caller gets (C-ERR-1). */
  get body(): { error: string; message: string; details?: readonly Fault[] } {
    const body = { error: this.phrase, message: this.message };
    return this.details ? { ...body, details: this.details } : body;
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

/** A 404 for a path that the contract does not have. */
export function pathNotFound(): HttpError {
  return new HttpError(
    "NotFound",
    "There is no such path. Compare it with the paths of the contract at /openapi.json.",
  );
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
};

/** The error response of an expected error; undefined for any other. */
export function asHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (!(error instanceof DomainError)) return undefined;
  if (error.code === "invalid_input") return badRequest(error.details);
  const headers = error.code === "idempotency_key_in_use" ? { "Retry-After": "1" } : {};
  return new HttpError(nameOf[error.code], error.message, { headers });
}
