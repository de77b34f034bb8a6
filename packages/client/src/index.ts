/**
 * The client of the Project Feedback Service. Start with {@link createClient}.
 *
 * @packageDocumentation
 */
export { type Client, createClient } from "./client.ts";
export type * from "./contract.ts";
export {
  ApiError,
  BadGatewayError,
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  type ErrorOf,
  type ErrorProperties,
  ForbiddenError,
  GatewayTimeoutError,
  InternalServerError,
  isStatusError,
  MethodNotAllowedError,
  NetworkError,
  NotFoundError,
  PreconditionFailedError,
  ProjectFeedbackError,
  ServiceUnavailableError,
  type StatusError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnprocessableContentError,
  UnsupportedMediaTypeError,
} from "./errors.ts";
export type { FeedbackResource } from "./feedback.ts";
export type { List, Page } from "./list.ts";
export type { ResponseMetadata, Result } from "./metadata.ts";
export type { OperationMethods } from "./operation-methods.ts";
export type {
  AttemptEvent,
  CallOptions,
  ClientOptions,
  ListOptions,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  RetryOptions,
  WriteOptions,
} from "./options.ts";
export { createPathClient, type PathClient } from "./paths.ts";
export type { Projects } from "./projects.ts";
export { type RateLimit, rateLimitOf } from "./rate-limit.ts";
