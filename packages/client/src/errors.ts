import type { operations } from "@project-feedback/spec/types";
import type { ErrorCode, Fault } from "./generated/models.ts";
import type { RateLimit } from "./rate-limit.ts";

/** The properties of an error. */
export interface ErrorProperties {
  /** HTTP status of the response. */
  readonly status?: number;
  /** What the error is about, from a closed list that only grows (C-ERR-5). */
  readonly code?: ErrorCode | undefined;
  /** What is wrong with the request, part by part. */
  readonly details?: readonly Fault[];
  /** The body of the response: parsed if it is JSON, else the text; at most 16,384 characters. */
  readonly body?: unknown;
  /** The headers of the response. */
  readonly headers?: Headers;
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
  /**
   * What the error is about, from a closed list that only grows (C-ERR-5). undefined for a 401, from a server of version
   * 1.0, and if another service responded.
   */
  declare readonly code: ErrorCode | undefined;
  /** What is wrong with the request, part by part; empty if the server gave no details. */
  readonly details: readonly Fault[] = [];
  /** The body of the response: parsed if it is JSON, else the text; at most 16,384 characters. */
  declare readonly body: unknown;
  /** The headers of the response. */
  declare readonly headers: Headers | undefined;
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

/** Marks an `ApiError` of any copy of this client. */
const BRAND = Symbol.for("@project-feedback/client");

/** The server, or a proxy in front of it, responded with an error. */
export class ApiError<Status extends number = number> extends ProjectFeedbackError {
  declare readonly status: Status;
  declare readonly headers: Headers;
  override get name(): string {
    return "ApiError";
  }
  /** @internal */
  get [BRAND](): true {
    return true;
  }
}

/** The status is a success, but the body is not what the operation returns. A proxy or another service may have sent it. */
export class UnexpectedResponseError extends ApiError {
  override get name(): "UnexpectedResponseError" {
    return "UnexpectedResponseError";
  }
}

/** The class of the errors of one status. */
export interface StatusErrorClass<Instance> {
  new (message: string, properties?: ErrorProperties, options?: ErrorOptions): Instance;
  readonly prototype: Instance;
}

const classes: Record<number, StatusErrorClass<ApiError>> = {};

/** Creates the class of a status. A bundler leaves out those that a program does not import. */
function statusClass<Instance extends ApiError>(status: Instance["status"], name: Instance["name"]) {
  classes[status] = class extends ApiError {
    override get name() {
      return name;
    }
  };
  return classes[status] as StatusErrorClass<Instance>;
}

/** The request is malformed or violates the contract; `details` says where. */
export interface BadRequestError extends ApiError<400> {
  readonly name: "BadRequestError";
}
/** @hidden */
export const BadRequestError: StatusErrorClass<BadRequestError> = /* @__PURE__ */ statusClass(400, "BadRequestError");

/** The API key is missing, wrong or revoked. */
export interface UnauthorizedError extends ApiError<401> {
  readonly name: "UnauthorizedError";
}
/** @hidden */
export const UnauthorizedError: StatusErrorClass<UnauthorizedError> = /* @__PURE__ */ statusClass(
  401,
  "UnauthorizedError",
);

/** The role or the account of the key does not permit this. */
export interface ForbiddenError extends ApiError<403> {
  readonly name: "ForbiddenError";
}
/** @hidden */
export const ForbiddenError: StatusErrorClass<ForbiddenError> = /* @__PURE__ */ statusClass(403, "ForbiddenError");

/** There is no such record, or the caller may not see it. */
export interface NotFoundError extends ApiError<404> {
  readonly name: "NotFoundError";
}
/** @hidden */
export const NotFoundError: StatusErrorClass<NotFoundError> = /* @__PURE__ */ statusClass(404, "NotFoundError");

/** The path does not support this method. */
export interface MethodNotAllowedError extends ApiError<405> {
  readonly name: "MethodNotAllowedError";
}
/** @hidden */
export const MethodNotAllowedError: StatusErrorClass<MethodNotAllowedError> = /* @__PURE__ */ statusClass(
  405,
  "MethodNotAllowedError",
);

/** The state of the record does not permit this. */
export interface ConflictError extends ApiError<409> {
  readonly name: "ConflictError";
}
/** @hidden */
export const ConflictError: StatusErrorClass<ConflictError> = /* @__PURE__ */ statusClass(409, "ConflictError");

/** The record has changed since the ETag in `If-Match` was read. */
export interface PreconditionFailedError extends ApiError<412> {
  readonly name: "PreconditionFailedError";
}
/** @hidden */
export const PreconditionFailedError: StatusErrorClass<PreconditionFailedError> = /* @__PURE__ */ statusClass(
  412,
  "PreconditionFailedError",
);

/** The body is larger than 1 MiB. */
export interface ContentTooLargeError extends ApiError<413> {
  readonly name: "ContentTooLargeError";
}
/** @hidden */
export const ContentTooLargeError: StatusErrorClass<ContentTooLargeError> = /* @__PURE__ */ statusClass(
  413,
  "ContentTooLargeError",
);

/** The server does not accept the type of the body. */
export interface UnsupportedMediaTypeError extends ApiError<415> {
  readonly name: "UnsupportedMediaTypeError";
}
/** @hidden */
export const UnsupportedMediaTypeError: StatusErrorClass<UnsupportedMediaTypeError> = /* @__PURE__ */ statusClass(
  415,
  "UnsupportedMediaTypeError",
);

/** The idempotency key was used before with another body. */
export interface UnprocessableContentError extends ApiError<422> {
  readonly name: "UnprocessableContentError";
}
/** @hidden */
export const UnprocessableContentError: StatusErrorClass<UnprocessableContentError> = /* @__PURE__ */ statusClass(
  422,
  "UnprocessableContentError",
);

/** The allowance is used up; `retryAfterSeconds` says when the window ends. */
export interface TooManyRequestsError extends ApiError<429> {
  readonly name: "TooManyRequestsError";
}
/** @hidden */
export const TooManyRequestsError: StatusErrorClass<TooManyRequestsError> = /* @__PURE__ */ statusClass(
  429,
  "TooManyRequestsError",
);

/** The service failed. */
export interface InternalServerError extends ApiError<500> {
  readonly name: "InternalServerError";
}
/** @hidden */
export const InternalServerError: StatusErrorClass<InternalServerError> = /* @__PURE__ */ statusClass(
  500,
  "InternalServerError",
);

/** A proxy got an invalid response from the service. */
export interface BadGatewayError extends ApiError<502> {
  readonly name: "BadGatewayError";
}
/** @hidden */
export const BadGatewayError: StatusErrorClass<BadGatewayError> = /* @__PURE__ */ statusClass(502, "BadGatewayError");

/** The service is unavailable for a while. */
export interface ServiceUnavailableError extends ApiError<503> {
  readonly name: "ServiceUnavailableError";
}
/** @hidden */
export const ServiceUnavailableError: StatusErrorClass<ServiceUnavailableError> = /* @__PURE__ */ statusClass(
  503,
  "ServiceUnavailableError",
);

/** A proxy got no response from the service in time. */
export interface GatewayTimeoutError extends ApiError<504> {
  readonly name: "GatewayTimeoutError";
}
/** @hidden */
export const GatewayTimeoutError: StatusErrorClass<GatewayTimeoutError> = /* @__PURE__ */ statusClass(
  504,
  "GatewayTimeoutError",
);

type ErrorStatus<Id extends keyof operations> = Exclude<keyof operations[Id]["responses"], 200 | 201 | 304>;

/** Does not compile if a status of the contract has no class. */
type Complete<All extends { [Id in keyof operations as ErrorStatus<Id>]: ApiError }> = All;

type ByStatus = Complete<{
  400: BadRequestError;
  401: UnauthorizedError;
  403: ForbiddenError;
  404: NotFoundError;
  405: MethodNotAllowedError;
  409: ConflictError;
  412: PreconditionFailedError;
  413: ContentTooLargeError;
  415: UnsupportedMediaTypeError;
  422: UnprocessableContentError;
  429: TooManyRequestsError;
  500: InternalServerError;
  502: BadGatewayError;
  503: ServiceUnavailableError;
  504: GatewayTimeoutError;
}>;

/** An error whose status has its own class; `status` discriminates the union. */
export type StatusError = ByStatus[keyof ByStatus];

/** The errors of an operation according to the contract, such as `ErrorOf<"getProject">`. */
export type ErrorOf<Id extends keyof operations> = ByStatus[ErrorStatus<Id> & keyof ByStatus];

/**
 * Whether this is an `ApiError`. Unlike `instanceof`, it also recognizes an error of another copy of this client, for
 * example of its CommonJS build in a program that imports the ES module.
 */
export const isApiError = (error: unknown): error is ApiError => !!(error as Partial<ApiError> | null)?.[BRAND];

/**
 * Whether this is an error whose status has its own class. `error.status` then narrows its type.
 *
 * @example
 * ```ts
 * if (isStatusError(error) && error.status === 400) console.error(error.details);
 * ```
 */
export const isStatusError = (error: unknown): error is StatusError =>
  isApiError(error) && /^(40[013459]|41[235]|42[29]|50[0234])$/.test(`${error.status}`);

/** Creates the error of a response. */
export const createApiError = (status: number, ok: boolean, message: string, properties: ErrorProperties): ApiError =>
  new (ok ? UnexpectedResponseError : (classes[status] ?? ApiError))(message, properties);
