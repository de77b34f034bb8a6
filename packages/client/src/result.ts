import { type RateLimit, rateLimitOf } from "./rate-limit.ts";

/** What is known of an answer beside its body. */
export interface AnswerFacts {
  /** The allowance after this request; undefined where the answer did not tell. */
  readonly rateLimit: RateLimit | undefined;
  /** Id of the request, to name to the service's support; undefined where the answer did not tell. */
  readonly requestId: string | undefined;
}

/**
 * What the service answered. The facts are not enumerable: JSON, a copy and a comparison have the body alone.
 */
export type Result<Body> = Body & AnswerFacts;

/** Reads the facts off an answer's headers. */
export const factsOf = (headers: Headers): AnswerFacts => ({
  rateLimit: rateLimitOf(headers),
  requestId: headers.get("x-request-id") ?? undefined,
});

/** Adds the facts to a body. */
export const withFacts = <Body extends object>(body: Body, { rateLimit, requestId }: AnswerFacts): Result<Body> =>
  Object.defineProperties(body, { rateLimit: { value: rateLimit }, requestId: { value: requestId } }) as Result<Body>;
