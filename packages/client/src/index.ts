/**
 * The client of the Project Feedback Service. Start with {@link createClient}.
 *
 * @packageDocumentation
 */

export type { components, operations, paths } from "@project-feedback/spec/types";
export type { ResultPromise, WithResponse } from "./call.ts";
export { type Client, createClient } from "./client.ts";
export type { AnswerFacts, Facts, Surface } from "./deprecated.ts";
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
  isApiError,
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
  UnexpectedResponseError,
  UnprocessableContentError,
  UnsupportedMediaTypeError,
} from "./errors.ts";
export type { FeedbackResource, RejectOptions } from "./feedback.ts";
export * from "./generated/enums.ts";
export type * from "./generated/models.ts";
export type { HeaderValues } from "./headers.ts";
export type { List } from "./list.ts";
export type { Debug } from "./log.ts";
export type { MeResource } from "./me.ts";
export type { ResponseMetadata, Result } from "./metadata.ts";
export type { OperationMethods } from "./operation-methods.ts";
export type {
  AttemptEvent,
  CallOptions,
  ChangeOptions,
  ClientOptions,
  DeleteOptions,
  ErrorEvent,
  FetchInit,
  FetchResponse,
  ListOptions,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  RetryOptions,
  WriteOptions,
} from "./options.ts";
export type { Page } from "./page.ts";
export { createPathClient, type PathClient } from "./paths.ts";
export type { Projects } from "./projects.ts";
export { type RateLimit, rateLimitOf } from "./rate-limit.ts";
