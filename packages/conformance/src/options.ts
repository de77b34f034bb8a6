import type { RunEvent } from "./engine/events.ts";
import type { Holder, Provision } from "./engine/keys.ts";
import { ConfigurationError } from "./engine/outcome.ts";

export type Plan = "free" | "pro" | "team";

/** A failure that is known: it does not count until its date, and fails the run once it is mended. */
export interface KnownFailure {
  /** Id of the check. */
  readonly check: string;
  readonly reason: string;
  /** The last day on which it does not count, `YYYY-MM-DD` in UTC. */
  readonly until: string;
}

/** How a draft of feedback comes to be: fields added to a submission, or one that exists, written by the tester. */
export type DraftRecipe = { readonly fields: Readonly<Record<string, unknown>> } | { readonly feedbackId: string };

/** What cannot be known from outside. */
export interface Deployment {
  readonly draft?: DraftRecipe;
  /** Fields added to a project's creation, and a PATCH sent after it, that make it take feedback. */
  readonly project?: {
    readonly fields?: Readonly<Record<string, unknown>>;
    readonly patch?: Readonly<Record<string, unknown>>;
  };
  /** Plans of the accounts whose keys are used. */
  readonly plans?: Readonly<Partial<Record<Holder, Plan>>>;
  /** Id of the tester's account, as feedback's testerId shows it. */
  readonly testerId?: string;
  /** TLS is ended before the address that the suite is given. */
  readonly tls?: "elsewhere";
  readonly knownFailures?: readonly KnownFailure[];
}

export interface ConformanceOptions extends Deployment {
  /** Address of the deployment, its version segment included: `https://host/v1`. */
  readonly baseUrl: string;
  readonly keys: {
    readonly developer: string;
    readonly tester: string;
    readonly otherDeveloper?: string;
    readonly spare?: string;
  };
  /** `stated` (the default) judges; `reference` also compares with this project's own choices. */
  readonly profile?: "stated" | "reference";
  readonly readOnly?: boolean;
  /** Seconds that one wait for an allowance may last; 3,660 by default, which is one window. */
  readonly maxWait?: number;
  /** Seconds until an answer must be complete; 15 by default. */
  readonly timeout?: number;
  /** Folder of the ledger; false keeps it in memory. */
  readonly ledger?: string | false;
  /** Sends the requests; the global fetch by default. */
  readonly fetch?: typeof fetch;
  /** Ends the run early; what it made is deleted all the same. */
  readonly signal?: AbortSignal;
  /** Told of the plan, of each check, and of waits. */
  readonly onEvent?: (event: RunEvent) => void;
}

const holders: readonly Holder[] = ["developer", "tester", "otherDeveloper", "spare"];

/** @throws ConfigurationError that names the option */
export function checkOptions(options: ConformanceOptions): void {
  checkBaseUrl(options.baseUrl);
  for (const holder of ["developer", "tester"] as const) {
    if (!options.keys[holder]) throw new ConfigurationError(`The ${holder}'s key is missing.`);
  }
  const given = holders.filter((holder) => options.keys[holder] !== undefined);
  for (const holder of given) {
    // What a header cannot carry would fail later, in a message that might repeat the key.
    if (!/^[\x21-\x7e]+$/.test(options.keys[holder] ?? "")) {
      throw new ConfigurationError(
        `The key of the ${holder} is empty, or holds white space or other characters that no header carries.`,
      );
    }
  }
  if (new Set(given.map((holder) => options.keys[holder])).size < given.length) {
    throw new ConfigurationError("Two of the keys are the same; each must belong to an account of its own.");
  }
  for (const name of ["maxWait", "timeout"] as const) {
    const value = options[name];
    if (value !== undefined && !(value >= 0))
      throw new ConfigurationError(`${name} must be a number of seconds, not ${value}.`);
  }
}

function checkBaseUrl(text: string): void {
  if (!URL.canParse(text))
    throw new ConfigurationError(`The base address "${text}" is no URL. Give one like https://host/v1.`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new ConfigurationError(`The base address "${text}" is not http or https.`);
  if (url.username || url.password)
    throw new ConfigurationError("The base address holds a user name or password; leave them out.");
  if (url.search || url.hash)
    throw new ConfigurationError(`The base address "${text}" holds a query or fragment; leave it out.`);
}

/** What the configuration lets the suite see. */
export function provisionsOf({ draft, keys }: ConformanceOptions): Set<Provision> {
  return new Set<Provision>([
    ...(draft ? (["draft"] as const) : []),
    ...(keys.otherDeveloper ? (["otherDeveloper"] as const) : []),
    ...(keys.spare ? (["spare"] as const) : []),
  ]);
}
