import { createCall } from "./call.ts";
import { createFeedback, type FeedbackResource } from "./feedback.ts";
import { type ClientOptions, checkOptions } from "./options.ts";
import { createProjects, type Projects } from "./projects.ts";

/** A client of one deployment, with one key. It shows the key nowhere. */
export interface Client {
  /** What developers publish. */
  readonly projects: Projects;
  /** What testers submit, and what developers answer. */
  readonly feedback: FeedbackResource;
}

/**
 * Makes a client, with every operation under its resource.
 *
 * @throws TypeError that names an option which can't be.
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
