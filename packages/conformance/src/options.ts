import type { RunEvent } from "./engine/events.ts";
import { ConfigurationError } from "./engine/outcome.ts";
import type { Depth, Holder, Provision } from "./engine/terms.ts";

export type Plan = "free" | "pro" | "team";

/** A failure that is known. It does not count until its date, and fails the run once it is mended. */
export interface KnownFailure {
  /** Id of the check. */
  readonly check: string;
  readonly reason: string;
  /** The last day on which it does not count, `YYYY-MM-DD` in UTC. */
  readonly until: string;
}

/** How a draft of feedback is created: fields added to a submission, or one that exists, written by the tester. */
export type DraftRecipe = { readonly fields: Readonly<Record<string, unknown>> } | { readonly feedbackId: string };

/** Lengths of a text in characters, both included. */
export interface Lengths {
  readonly min?: number;
  readonly max?: number;
}

/** Bounds of input that the interface does not state. */
export interface Limits {
  readonly rating?: { readonly min: number; readonly max: number; readonly step?: number };
  readonly title?: Lengths;
  readonly description?: Lengths;
  /** Free texts of feedback and of replies. */
  readonly text?: Lengths;
  readonly screenshots?: number;
  readonly bugs?: number;
  readonly testers?: number;
  /** Projects of one account. */
  readonly projects?: number;
  /** Feedback of one tester on one project. */
  readonly feedbackPerTester?: number;
  /** Largest page of the feedback list. */
  readonly feedbackPerPage?: number;
}

/** What cannot be known from outside. */
export interface Deployment {
  readonly draft?: DraftRecipe;
  /** How a project comes to accept feedback. */
  readonly project?: {
    /** Fields added to its creation. */
    readonly fields?: Readonly<Record<string, unknown>>;
    /** A PATCH sent after its creation. */
    readonly patch?: Readonly<Record<string, unknown>>;
    /** Id of a project that accepts feedback, of the developer of --developer-key. */
    readonly open?: string;
  };
  readonly limits?: Limits;
  /** Seconds within which a status may change by itself. */
  readonly settle?: number;
  /** Plans of the accounts whose keys are used. */
  readonly plans?: Readonly<Partial<Record<Holder, Plan>>>;
  /** Id of the tester's account, as testerId of feedback shows it. */
  readonly testerId?: string;
  /** TLS ends before the address that the suite is given. */
  readonly tls?: "elsewhere";
  readonly knownFailures?: readonly KnownFailure[];
}

export interface ConformanceOptions extends Deployment {
  /** Address of the deployment, with its version segment: `https://host/v1`. */
  readonly baseUrl: string;
  readonly keys: {
    readonly developer: string;
    readonly tester: string;
    readonly otherDeveloper?: string;
    readonly spare?: string;
  };
  /** `stated` (the default) judges the interface; `reference` also compares with the choices of this project. */
  readonly profile?: "stated" | "reference";
  /** `full` where the announced allowances permit it, else `quick`; this option overrides. */
  readonly depth?: Depth;
  /** The frozen set of required checks; the latest by default. */
  readonly requirements?: string;
  /** Checks, groups or clauses to run; everything by default. */
  readonly only?: readonly string[];
  /** Checks, groups or clauses to leave out. */
  readonly skip?: readonly string[];
  readonly readOnly?: boolean;
  /** Seconds that one wait for an allowance may last; 3,660 by default, which is one window. */
  readonly maxWait?: number;
  /** Seconds until a response must be complete; 15 by default. */
  readonly timeout?: number;
  /** Folder of the ledger; false keeps it in memory. */
  readonly ledger?: string | false;
  /** Sends the requests; the global fetch by default. */
  readonly fetch?: typeof fetch;
  /** Ends the run early; what it created is deleted all the same. */
  readonly signal?: AbortSignal;
  /** Called with the plan, each check, waits and the end. */
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
        `The key of the ${holder} is empty, or holds white space or characters that no header carries. Copy it again.`,
      );
    }
  }
  for (const [n, holder] of given.entries()) {
    const same = given.slice(n + 1).find((other) => options.keys[other] === options.keys[holder]);
    if (same)
      throw new ConfigurationError(
        `The keys of the ${holder} and the ${same} are the same. Give keys of two different accounts.`,
      );
  }
  for (const name of ["maxWait", "timeout", "settle"] as const) {
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
    throw new ConfigurationError(`The base address "${text}" is not http or https. Give one like https://host/v1.`);
  if (url.username || url.password)
    throw new ConfigurationError("The base address holds a user name or password. Leave them out.");
  if (url.search || url.hash)
    throw new ConfigurationError(`The base address "${text}" holds a query or fragment. Leave it out.`);
}

/** What the configuration makes testable. */
export function provisionsOf({ draft, keys }: ConformanceOptions): Set<Provision> {
  return new Set<Provision>([
    ...(draft ? (["draft"] as const) : []),
    ...(keys.otherDeveloper ? (["otherDeveloper"] as const) : []),
    ...(keys.spare ? (["spare"] as const) : []),
  ]);
}

/** What the partner declared, as the reports show it. */
export function declaredIn({ draft, project, limits, settle, plans, testerId, tls }: ConformanceOptions): Deployment {
  const declared = { draft, project, limits, settle, plans, testerId, tls };
  return Object.fromEntries(Object.entries(declared).filter(([, value]) => value !== undefined));
}
