import type { DocumentExamples } from "./examples.ts";

const ids = { projectId: "prj_6920a1b2c3d4e5f601234567", testerId: "acc_6920a1b2c3d4e5f601234569" };

const parameters: DocumentExamples["parameters"] = {
  ...ids,
  page: 1,
  perPage: 20,
  cursor: "WyJRN3BjeFp0UmJVTWoiLDAsMixudWxsLDE3Njk4NjA4MDAwMDAsInByal82OTIwYTFiMmMzZDRlNWY2MDEyMzQ1NjciXQ",
  order: "desc",
  updatedAfter: "2026-01-31T12:00:00Z",
  owner: "me",
  "Idempotency-Key": "0b5c2d8e-6a0f-4f0e-9c39-0b7e6f1a2c3d",
  // Any record is current for it, so that a mock or a collection can send it as it is.
  "If-Match": "*",
  "If-None-Match": '"u0N5y2HhVQq1kPzX9bTfLw.41-3-1-4"',
};

const headers: DocumentExamples["headers"] = {
  "X-RateLimit-Limit": 10_000,
  "X-RateLimit-Remaining": 9_999,
  "X-RateLimit-Reset": 1_769_864_400,
  RateLimit: '"hour";r=9999;t=3540',
  "RateLimit-Policy": '"hour";q=10000;w=3600',
  "X-Request-Id": "0b5c2d8e-6a0f-4f0e-9c39-0b7e6f1a2c3d",
  "Idempotency-Replayed": "true",
  ETag: '"u0N5y2HhVQq1kPzX9bTfLw.41-3-1-4"',
  Link: '</v1/projects?perPage=20&cursor=WyJRN3BjeFp0UmJVTWoi>; rel="next"',
  Location: "/v1/projects/prj_6920a1b2c3d4e5f601234567",
  "WWW-Authenticate": "Bearer",
  Allow: "HEAD, GET, POST",
  "Accept-Patch": "application/json, application/merge-patch+json",
  "Retry-After": 60,
};

const errors: DocumentExamples["errors"] = {
  BadRequest: {
    message: "The body /title is required.",
    code: "invalid_request",
    details: [{ in: "body", at: "/title", message: "is required" }],
  },
  Unauthorized: { message: "Invalid or missing API key" },
  Forbidden: {
    message: "Only a developer may create a project. Use the key of a developer account.",
    code: "role_required",
  },
  NotFound: { message: "There is no such project, or you may not see it. Check the id.", code: "project_not_found" },
  MethodNotAllowed: { message: "This path does not take PUT. Use one of HEAD, GET, POST.", code: "method_not_allowed" },
  Conflict: {
    message: "Only a draft can be changed, and this feedback is submitted. Submit new feedback instead.",
    code: "not_draft",
  },
  PreconditionFailed: {
    message: "The record has changed since the ETag in If-Match was read. Read it again.",
    code: "not_current",
  },
  ContentTooLarge: { message: "The body is larger than 1,048,576 bytes. Send less.", code: "content_too_large" },
  UnsupportedMediaType: {
    message: "The body is not sent as UTF-8 JSON. Send it as application/json.",
    code: "unsupported_media_type",
  },
  UnprocessableContent: {
    message: "This Idempotency-Key was sent before with another body. Send a new key with a new body.",
    code: "idempotency_key_reused",
  },
  TooManyRequests: {
    message: "The allowance of 10000 requests an hour is used up. Try again in 60 seconds.",
    code: "rate_limited",
  },
  InternalServerError: {
    message: "The service failed. Try again, and give the X-Request-Id to support.",
    code: "internal_error",
  },
  ServiceUnavailable: {
    message: "The service cannot reach its database. Try again shortly.",
    code: "unavailable",
  },
};

const properties: DocumentExamples["properties"] = {
  "FeedbackCreate.status": "submitted",
  "FeedbackPatch.status": "submitted",
  "ProjectCreate.status": "active",
  "BugPatch.id": "bug_6920a1b2c3d4e5f60123456a",
};

/** Examples for the contract of v1. */
export const serviceExamples: DocumentExamples = {
  parameters,
  headers,
  errors,
  properties,
  locations: { createFeedback: "/v1/feedback/fb_6920a1b2c3d4e5f601234568" },
};
