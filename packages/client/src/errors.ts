import type { Fault, operations } from "./contract.ts";
import type { RateLimit } from "./rate-limit.ts";

/** The properties of an error. */
export interface ErrorProperties {
  /** HTTP status of the response. */
  readonly status?: number;
  /** What is wrong with the request, part by part. */
  readonly details?: readonly Fault[];
  /** Id of the request, for questions to the service's support. */
  readonly requestId?: string | undefined;
  /** The allowance after this request. */
  readonly rateLimit?: RateLimit | undefined;
  /** Seconds that the server asks to wait before another attempt. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The base class of all errors of this client. A property is undefined if no response came or it did not say. */
export class ProjectFeedbackError extends Error {
  /** HTTP status of the response. */
  declare readonly status: number | undefined;
  /** What is wrong with the request, part by part; empty if the server gave no details. */
  readonly details: readonly Fault[] = [];
  /** Id of the request, for questions to the service's support. */
  declare readonly requestId: string | undefined;
  /** The allowance after this request. */
  declare readonly rateLimit: RateLimit | undefined;
  /** Seconds that the server asks to wait before another attempt. */
  declare readonly retryAfterSeconds: number | undefined;

  constructor(message: string, properties?: ErrorProperties, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, properties);
  }

  override get name(): string {
    return "ProjectFeedbackError";
  }
}

/** No complete response came: the network failed or the connection broke. `cause` is what `fetch` threw. */
export class NetworkError extends ProjectFeedbackError {
  declare readonly status: undefined;
  override get name(): string {
    return "NetworkError";
  }
}

/** No complete response came within the timeout of an attempt or of the whole call. */
export class TimeoutError extends NetworkError {
  override get name(): string {
    return "TimeoutError";
  }
}

/** The server, or a proxy in front of it, responded with an error or with something that is not JSON. */
export class ApiError<Status extends number = number> extends ProjectFeedbackError {
  declare readonly status: Status;
  override get name(): string {
    return "ApiError";
  }
}

/** The request is malformed or violates the contract; `details` says where. */
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

/** The role or the account of the key does not permit this. */
export class ForbiddenError extends ApiError<403> {
  override get name(): "ForbiddenError" {
    return "ForbiddenError";
  }
}

/** There is no such record, or the caller may not see it. */
export class NotFoundError extends ApiError<404> {
  override get name(): "NotFoundError" {
    return "NotFoundError";
  }
}

/** The path does not support this method. */
export class MethodNotAllowedError extends ApiError<405> {
  override get name(): "MethodNotAllowedError" {
    return "MethodNotAllowedError";
  }
}

/** The state of the record does not permit this. */
export class ConflictError extends ApiError<409> {
  override get name(): "ConflictError" {
    return "ConflictError";
  }
}

/** The record has changed since the ETag in `If-Match` was read. */
export class PreconditionFailedError extends ApiError<412> {
  override get name(): "PreconditionFailedError" {
    return "PreconditionFailedError";
  }
}

/** The body is larger than 1 MiB. */
export class ContentTooLargeError extends ApiError<413> {
  override get name(): "ContentTooLargeError" {
    return "ContentTooLargeError";
  }
}

/** The server does not accept the type of the body. */
export class UnsupportedMediaTypeError extends ApiError<415> {
  override get name(): "UnsupportedMediaTypeError" {
    return "UnsupportedMediaTypeError";
  }
}

/** The idempotency key was used before with another body. */
export class UnprocessableContentError extends ApiError<422> {
  override get name(): "UnprocessableContentError" {
    return "UnprocessableContentError";
  }
}

/** The allowance is used up; `retryAfterSeconds` says when the window ends. */
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

/** A proxy got an invalid response from the service. */
export class BadGatewayError extends ApiError<502> {
  override get name(): "BadGatewayError" {
    return "BadGatewayError";
  }
}

/** The service is unavailable for a while. */
export class ServiceUnavailableError extends ApiError<503> {
  override get name(): "ServiceUnavailableError" {
    return "ServiceUnavailableError";
  }
}

/** A proxy got no response from the service in time. */
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
  412: PreconditionFailedError,
  413: ContentTooLargeError,
  415: UnsupportedMediaTypeError,
  422: UnprocessableContentError,
  429: TooManyRequestsError,
  500: InternalServerError,
  502: BadGatewayError,
  503: ServiceUnavailableError,
  504: GatewayTimeoutError,
};

type ErrorStatus<Id extends keyof operations> = Exclude<keyof operations[Id]["responses"], 200 | 201 | 304>;

/** Does not compile if a status of the contract has no class. */
type Complete<All extends { [Id in keyof operations as ErrorStatus<Id>]: ApiError }> = All;

type ByStatus = Complete<{ [Status in keyof typeof byStatus]: InstanceType<(typeof byStatus)[Status]> }>;

/** An error whose status has its own class; `status` discriminates the union. */
export type StatusError = ByStatus[keyof ByStatus];

/** The errors of an operation according to the contract, such as `ErrorOf<"getProject">`. */
export type ErrorOf<Id extends keyof operations> = ByStatus[ErrorStatus<Id> & keyof ByStatus];

/**
 * Whether this is an error whose status has its own class. `error.status` then narrows its type.
 *
 * @example
 * ```ts
 * if (isStatusError(error) && error.status === 400) console.error(error.details);
 * ```
 */
export function isStatusError(error: unknown): error is StatusError {
  return error instanceof ApiError && error.constructor !== ApiError;
}

/** Creates an error of the class for its status. */
export function createApiError(status: number, message: string, properties: ErrorProperties): ApiError {
  const classes: Record<number, new (message: string, properties: ErrorProperties) => ApiError> = byStatus;
  return new (classes[status] ?? ApiError)(message, properties);
}
