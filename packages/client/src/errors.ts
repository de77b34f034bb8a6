import type { Fault, operations } from "./contract.ts";
import type { RateLimit } from "./rate-limit.ts";

/** What is known of a failure. */
export interface Facts {
  /** HTTP status of the answer. */
  readonly status?: number;
  /** What is wrong with the request, part by part. */
  readonly details?: readonly Fault[];
  /** Id of the request, to name to the service's support. */
  readonly requestId?: string | undefined;
  /** The allowance after this request. */
  readonly rateLimit?: RateLimit | undefined;
  /** Seconds that the server asks to wait. */
  readonly retryAfterSeconds?: number | undefined;
}

/** What every error of this client is, and has: undefined where there was no answer, or it did not tell. */
export class ProjectFeedbackError extends Error {
  /** HTTP status of the answer. */
  declare readonly status: number | undefined;
  /** What is wrong with the request, part by part; empty where the server named nothing. */
  readonly details: readonly Fault[] = [];
  /** Id of the request, to name to the service's support. */
  declare readonly requestId: string | undefined;
  /** The allowance after this request. */
  declare readonly rateLimit: RateLimit | undefined;
  /** Seconds that the server asks to wait before another try. */
  declare readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts?: Facts, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, facts);
  }

  override get name(): string {
    return "ProjectFeedbackError";
  }
}

/** No whole answer came: the network failed, or the connection broke off. `cause` is what `fetch` threw. */
export class NetworkError extends ProjectFeedbackError {
  declare readonly status: undefined;
  override get name(): string {
    return "NetworkError";
  }
}

/** No whole answer came in time: within the timeout of an attempt, or of the whole call. */
export class TimeoutError extends NetworkError {
  override get name(): string {
    return "TimeoutError";
  }
}

/** The server, or a proxy before it, answered with an error, or with something that is not JSON. */
export class ApiError<Status extends number = number> extends ProjectFeedbackError {
  declare readonly status: Status;
  override get name(): string {
    return "ApiError";
  }
}

/** The request is off the contract; `details` names what is wrong. */
export class BadRequestError extends ApiError<400> {
  override get name(): "BadRequestError" {
    return "BadRequestError";
  }
}

/** The API key is missing, wrong or revoked. */
export class UnauthorizedError extends ApiError<401> {
  override get name(): "UnauthorizedError" {
    return "UnauthorizedError";
  }
}

/** The key's role or account may not do this. */
export class ForbiddenError extends ApiError<403> {
  override get name(): "ForbiddenError" {
    return "ForbiddenError";
  }
}

/** There is no such record, or none that the caller may see. */
export class NotFoundError extends ApiError<404> {
  override get name(): "NotFoundError" {
    return "NotFoundError";
  }
}

/** The path does not have this method. */
export class MethodNotAllowedError extends ApiError<405> {
  override get name(): "MethodNotAllowedError" {
    return "MethodNotAllowedError";
  }
}

/** The record's state forbids this. */
export class ConflictError extends ApiError<409> {
  override get name(): "ConflictError" {
    return "ConflictError";
  }
}

/** The body is larger than 1 MiB. */
export class ContentTooLargeError extends ApiError<413> {
  override get name(): "ContentTooLargeError" {
    return "ContentTooLargeError";
  }
}

/** The body is of a type that the server does not take. */
export class UnsupportedMediaTypeError extends ApiError<415> {
  override get name(): "UnsupportedMediaTypeError" {
    return "UnsupportedMediaTypeError";
  }
}

/** The idempotency key was used before, with another body. */
export class UnprocessableContentError extends ApiError<422> {
  override get name(): "UnprocessableContentError" {
    return "UnprocessableContentError";
  }
}

/** The allowance of the window is used up; `retryAfterSeconds` says for how long. */
export class TooManyRequestsError extends ApiError<429> {
  override get name(): "TooManyRequestsError" {
    return "TooManyRequestsError";
  }
}

/** The service failed. */
export class InternalServerError extends ApiError<500> {
  override get name(): "InternalServerError" {
    return "InternalServerError";
  }
}

/** A proxy got no good answer from the service. */
export class BadGatewayError extends ApiError<502> {
  override get name(): "BadGatewayError" {
    return "BadGatewayError";
  }
}

/** The service is away for a while. */
export class ServiceUnavailableError extends ApiError<503> {
  override get name(): "ServiceUnavailableError" {
    return "ServiceUnavailableError";
  }
}

/** A proxy got no answer from the service in time. */
export class GatewayTimeoutError extends ApiError<504> {
  override get name(): "GatewayTimeoutError" {
    return "GatewayTimeoutError";
  }
}

const byStatus = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  409: ConflictError,
  413: ContentTooLargeError,
  415: UnsupportedMediaTypeError,
  422: UnprocessableContentError,
  429: TooManyRequestsError,
  500: InternalServerError,
  502: BadGatewayError,
  503: ServiceUnavailableError,
  504: GatewayTimeoutError,
};

type Failure<Id extends keyof operations> = Exclude<keyof operations[Id]["responses"], 200 | 201>;

/** A status that the contract has and no class does not compile. */
type Complete<All extends { [Id in keyof operations as Failure<Id>]: ApiError }> = All;

type ByStatus = Complete<{ [Status in keyof typeof byStatus]: InstanceType<(typeof byStatus)[Status]> }>;

/** An error whose status has a class of its own; its `status` tells the classes apart. */
export type StatusError = ByStatus[keyof ByStatus];

/** The errors that the contract gives an operation, such as `ErrorOf<"getProject">`. */
export type ErrorOf<Id extends keyof operations> = ByStatus[Failure<Id> & keyof ByStatus];

/**
 * Whether this is an answer of a status that has a class of its own. After it, `error.status` narrows.
 *
 * @example
 * ```ts
 * if (isStatusError(error) && error.status === 400) console.error(error.details);
 * ```
 */
export function isStatusError(error: unknown): error is StatusError {
  return error instanceof ApiError && error.constructor !== ApiError;
}

/** The error of a status. */
export function errorOf(status: number, message: string, facts: Facts): ApiError {
  const classes: Record<number, new (message: string, facts: Facts) => ApiError> = byStatus;
  return new (classes[status] ?? ApiError)(message, facts);
}
