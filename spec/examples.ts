import type { Components, Document, Header, Operation, Parameter, Schema } from "./document.ts";

const ids = { projectId: "prj_6920a1b2c3d4e5f601234567", testerId: "acc_6920a1b2c3d4e5f601234569" };

/** Examples of parameters, by their names. */
const parameterExamples: Record<string, unknown> = {
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

/** Examples of response headers, by their names. */
const headerExamples: Record<string, unknown> = {
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

/** The message and the code of the example of each error. */
const errorExamples: Record<string, { message: string; code?: string; details?: unknown[] }> = {
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

/** Examples of properties that no example of an operation has. */
const propertyExamples: Record<string, unknown> = {
  "FeedbackCreate.status": "submitted",
  "FeedbackPatch.status": "submitted",
  "ProjectCreate.status": "active",
  "BugPatch.id": "bug_6920a1b2c3d4e5f60123456a",
};

/**
 * Adds examples to every parameter, header, error and property, so that mocks and collections made of the contract are
 * useful as they are. Properties get theirs from the examples of the operations.
 */
export function addExamples(document: Document): void {
  const { components } = document;
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    addToOperation(components, operation);
  }
  for (const parameter of Object.values(components.parameters)) addToParameter(components, parameter);
  for (const header of Object.entries(components.headers)) addToHeader(header);
  for (const [name, response] of Object.entries(components.responses)) {
    for (const header of Object.entries(response.headers ?? {})) addToHeader(header as [string, Header]);
    const content = response.content?.["application/json"];
    const phrase = components.schemas[name]?.properties?.error?.enum?.[0];
    if (content) content.example = { error: phrase, ...errorExamples[name] };
    spread(components, { $ref: `#/components/schemas/${name}` }, content?.example);
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    for (const [property, each] of Object.entries(schema.properties ?? {})) {
      const known = propertyExamples[`${name}.${property}`] ?? similar(components, property);
      if (known !== undefined && !each.examples) each.examples = [known];
    }
  }
}

function addToOperation(components: Components, operation: Operation): void {
  for (const parameter of operation.parameters ?? []) addToParameter(components, parameter as Parameter);
  const { requestBody, responses } = operation;
  const bodies = [
    requestBody?.content,
    ...Object.values(responses).map((each) => ("content" in each ? each.content : {})),
  ];
  for (const { schema, example } of bodies.flatMap((content) => Object.values(content ?? {}))) {
    spread(components, schema, example);
  }
  for (const response of Object.values(responses)) {
    if ("headers" in response)
      for (const header of Object.entries(response.headers ?? {})) addToHeader(header as [string, Header]);
  }
  const created = responses["201"];
  if (created && "headers" in created && operation.operationId === "createFeedback") {
    (created.headers?.Location as Header).example = "/v1/feedback/fb_6920a1b2c3d4e5f601234568";
  }
}

function addToParameter({ schemas }: Components, parameter: Parameter): void {
  if ("$ref" in parameter || parameter.example !== undefined || parameter.examples) return;
  const target = firstChoice(schemas, parameter.schema);
  parameter.example = parameterExamples[parameter.name] ?? parameter.schema.default ?? target?.enum?.[0];
}

/** The schema that is meant, of alternatives the first one. */
function firstChoice(schemas: Record<string, Schema>, schema: Schema): Schema | undefined {
  const target = schema.$ref ? schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
  const [first] = target?.anyOf ?? [];
  return first ? firstChoice(schemas, first) : target;
}

function addToHeader([name, header]: [string, Header]): void {
  if ("$ref" in header) return;
  const key = Object.keys(headerExamples).find((each) => each === name || each.replaceAll("-", "") === name);
  if (key) header.example ??= headerExamples[key];
}

/** Gives the properties of a schema the values of an example. */
function spread(components: Components, schema: Schema, example: unknown): void {
  if (example === null || example === undefined) return;
  if (schema.$ref) {
    const target = components.schemas[schema.$ref.split("/").at(-1) ?? ""];
    if (target) spread(components, target, example);
    return;
  }
  for (const each of schema.anyOf ?? []) spread(components, each, example);
  if (schema.items && Array.isArray(example)) for (const item of example) spread(components, schema.items, item);
  if (typeof example !== "object") return;
  for (const [name, value] of Object.entries(example)) {
    const property = schema.properties?.[name];
    if (!property || value === null) continue;
    property.examples ??= [value];
    spread(components, property, value);
  }
}

/** The example of a property of the same name in another schema. */
function similar({ schemas }: Components, name: string): unknown {
  for (const { properties } of Object.values(schemas)) {
    const examples = properties?.[name]?.examples;
    if (Array.isArray(examples)) return examples[0];
  }
  return undefined;
}
