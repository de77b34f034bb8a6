import { createCall } from "./call.ts";
import { createFeedback, type FeedbackResource } from "./feedback.ts";
import { mergeHeaders } from "./headers.ts";
import { createMe, type MeResource } from "./me.ts";
import { type ClientConfiguration, type ClientOptions, configure, definedOptions } from "./options.ts";
import { createProjects, type Projects } from "./projects.ts";

/** A client of one deployment with one key. It never shows the key. */
export interface Client {
  /** Projects: developers publish them. */
  readonly projects: Projects;
  /** Feedback: testers submit it, developers reply to it. */
  readonly feedback: FeedbackResource;
  /** The account of the key. */
  readonly me: MeResource;
  /**
   * Creates a client with the same options except those given. Headers are merged. The two clients pause together after
   * a 429, unless `apiKey` or `baseUrl` differs.
   *
   * @throws TypeError that names an invalid option.
   */
  withOptions(options: Partial<ClientOptions>): Client;
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
export const createClient = (options: ClientOptions): Client => clientOf(configure(options));

function clientOf(configuration: ClientConfiguration): Client {
  const call = createCall(configuration);
  const withOptions = (options: Partial<ClientOptions>) => {
    const { apiKey, baseUrl, headers } = options;
    const changed = {
      ...configuration,
      ...definedOptions(options),
      headers: mergeHeaders(configuration.headers, headers),
    };
    return clientOf(configure(changed, apiKey || baseUrl ? undefined : configuration.throttle));
  };
  return { projects: createProjects(call), feedback: createFeedback(call), me: createMe(call), withOptions };
}
