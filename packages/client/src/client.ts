import { createCall } from "./call.ts";
import { createFeedback, type FeedbackResource } from "./feedback.ts";
import { type ClientOptions, checkOptions } from "./options.ts";
import { createProjects, type Projects } from "./projects.ts";

/** A client of one deployment with one key. It never shows the key. */
export interface Client {
  /** Projects: developers publish them. */
  readonly projects: Projects;
  /** Feedback: testers submit it, developers reply to it. */
  readonly feedback: FeedbackResource;
}

/**
 * Creates a client with a method for every operation of the contract.
 *
 * @throws TypeError that names an invalid option.
 * @example
 * ```ts
 * const client = createClient({ baseUrl: "https://feedback.example.com/v1", apiKey });
 * const page = await client.projects.list({ status: "active" });
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const call = createCall(checkOptions(options));
  return { projects: createProjects(call), feedback: createFeedback(call) };
}
