import { type RateLimit, rateLimitOf } from "./rate-limit.ts";

/** What the headers of a response say. */
export interface ResponseMetadata {
  /** The allowance after this request; undefined if the response did not carry it. */
  readonly rateLimit: RateLimit | undefined;
  /** Id of the request, for questions to the service's support; undefined if the response did not carry it. */
  readonly requestId: string | undefined;
}

/**
 * The body of a response with its metadata. The metadata is not enumerable: JSON, a copy and a comparison see the body
 * alone.
 */
export type Result<Body> = Body & ResponseMetadata;

/** Reads the metadata from a response's headers. */
export const metadataOf = (headers: Pick<Headers, "get">): ResponseMetadata => ({
  rateLimit: rateLimitOf(headers),
  requestId: headers.get("x-request-id") ?? undefined,
});

/** Adds the metadata to a body. */
export const withMetadata = <Body extends object>(
  body: Body,
  { rateLimit, requestId }: ResponseMetadata,
): Result<Body> =>
  Object.defineProperties(body, { rateLimit: { value: rateLimit }, requestId: { value: requestId } }) as Result<Body>;
