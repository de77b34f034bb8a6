import { type ApiError, createApiError } from "./errors.ts";
import type { ErrorCode, Fault } from "./generated/models.ts";
import type { ResponseMetadata } from "./metadata.ts";
import type { FetchResponse } from "./options.ts";
import { retryAfterOf } from "./rate-limit.ts";

/** Characters of a body that an error keeps. */
const MAX_BODY = 16_384;

/** An error of the service, a problem (RFC 9457), or an error of another service. */
type ErrorBody = Partial<Record<"code" | "message" | "detail" | "title" | "details", unknown>> & {
  readonly error?: string | ErrorBody;
  readonly errors?: readonly ErrorBody[];
};

const isText = (value: unknown): value is string => typeof value === "string";

/** Whether details have the form of the service's, and not of another one. */
const isFaults = (details: unknown): details is Fault[] =>
  Array.isArray(details) && details.every((fault) => [fault?.in, fault?.at, fault?.message].every(isText));

/**
 * Creates the error that a response stands for, with the server's own message if it sent one.
 *
 * @param headers those of the response, without the API key.
 * @param text the body, without the API key.
 * @param body the parsed text; undefined if it is not JSON.
 */
export function responseError(
  name: string,
  { ok, status }: FetchResponse,
  headers: Headers,
  text: string,
  body: unknown,
  metadata: ResponseMetadata,
): ApiError {
  const { code, message, detail, title, error, errors, details } = Object(body) as ErrorBody;
  const location = headers.get("location");
  const isJson = body !== undefined;
  // Browsers hide the status and the address of a redirect.
  const isRedirect = !status || (status < 400 && location);
  const description =
    ok || isRedirect
      ? ""
      : [message, detail, title, Object(error).message, error, Object(errors?.[0]).message].find(isText);
  return createApiError(
    status,
    ok,
    description?.slice(0, 1000) ||
      `${name}: ${isRedirect ? `redirected to ${location}; change baseUrl` : `answered ${status}, ${isJson ? "unexpected" : "without"} JSON`}`,
    {
      ...metadata,
      status,
      // Other services have codes too, but not a body like the service's.
      code: isText(error) && isText(message) && isText(code) ? (code as ErrorCode) : undefined,
      headers,
      body: isJson && text.length <= MAX_BODY ? body : text.slice(0, MAX_BODY),
      details: isFaults(details) ? details : [],
      retryAfterSeconds: retryAfterOf(status, headers),
    },
  );
}
