/** A range of numbers that a server accepts, both ends included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** What the interface leaves open. Every combination of these choices is a legal server. */
export interface Choices {
  // Roles and visibility.
  readonly testersCreateProjects: boolean;
  readonly developersSubmitFeedback: boolean;
  /** What feedback a tester can read and list. */
  readonly testersSeeFeedback: "all" | "own" | "none";
  // Statuses of success and refusal.
  readonly created: number;
  readonly success: number;
  readonly invalid: number;
  readonly forbidden: number;
  readonly notFound: number;
  readonly gone: number;
  readonly conflict: number;
  readonly refusalBody: "object" | "problem" | "empty";
  // Forms.
  readonly ids: "prefixed" | "digits" | "uuid" | "encoded";
  readonly bugIds: "global" | "local";
  /** How lists tell the time, where it is not as details do. */
  readonly listTime: Choices["time"] | undefined;
  readonly time: "milliseconds" | "seconds" | "short-offset" | "basic-offset" | "comma";
  /** What records of details and of writes hold beside the stated fields. */
  readonly detail: "rich" | "stated" | "extended";
  readonly writes: "detail" | "least";
  // Lists.
  readonly order: "newest" | "oldest";
  readonly sort: "falling" | "rising";
  readonly perPageAbove: "refuse" | "clamp";
  readonly pastTheEnd: "empty" | "not-found";
  readonly feedbackPerPage: { readonly default: number; readonly max: number };
  readonly search: "words" | "substring";
  /** Milliseconds until a search finds a new project. */
  readonly searchDelay: number;
  // States.
  readonly projectStart: "active" | "draft" | "completed";
  readonly feedbackOn: "active" | "any";
  /** Fields of a submission that make it a draft. */
  readonly draft: Readonly<Record<string, unknown>>;
  /** Milliseconds after which a status changes by itself; 0 for never. */
  readonly settlesAfter: number;
  readonly statusAfterReply: string | undefined;
  readonly statusAfterMark: string | undefined;
  readonly marks: "once" | "add" | "toggle";
  readonly replies: "replace" | "append";
  // Allowances.
  readonly allowances: { readonly developer: number; readonly tester: number; readonly spare: number };
  readonly countedPer: "account" | "endpoint" | "read-write";
  readonly refusalsCount: boolean;
  readonly exhausted: number;
  readonly retryAfter: boolean;
  readonly reset: "unix" | "unix-milliseconds" | "seconds" | "milliseconds" | "minutes";
  /** Requests an hour that come back little by little; 0 for a fixed window. */
  readonly refill: number;
  readonly headersWithoutKey: boolean;
  /** Every nth request with a key is answered 503 with Retry-After; 0 for none. */
  readonly unavailableEvery: number;
  // Limits of input.
  readonly rating: Range & { readonly step: number };
  readonly title: Range;
  readonly description: Range;
  readonly text: Range;
  readonly screenshots: number;
  readonly bugs: number;
  readonly testers: number;
  readonly projects: number;
  readonly feedbackPerTester: number;
  readonly keys: Readonly<Partial<Record<"developer" | "tester" | "spare", string>>>;
  readonly accounts: Readonly<Partial<Record<"developer" | "tester" | "spare", string>>>;
  /** Milliseconds that every response takes. */
  readonly delay: number;
}

/** The choices of the reference server. */
export const defaults: Choices = {
  testersCreateProjects: false,
  developersSubmitFeedback: true,
  testersSeeFeedback: "all",
  created: 201,
  success: 200,
  invalid: 400,
  forbidden: 403,
  notFound: 404,
  gone: 404,
  conflict: 409,
  refusalBody: "object",
  ids: "prefixed",
  bugIds: "global",
  listTime: undefined,
  time: "milliseconds",
  detail: "rich",
  writes: "detail",
  order: "newest",
  sort: "falling",
  perPageAbove: "refuse",
  pastTheEnd: "empty",
  feedbackPerPage: { default: 20, max: 100 },
  search: "words",
  searchDelay: 0,
  projectStart: "active",
  feedbackOn: "active",
  draft: { status: "draft" },
  settlesAfter: 0,
  statusAfterReply: undefined,
  statusAfterMark: undefined,
  marks: "once",
  replies: "replace",
  allowances: { developer: 1_000, tester: 1_000, spare: 100 },
  countedPer: "account",
  refusalsCount: true,
  exhausted: 429,
  retryAfter: true,
  reset: "unix",
  refill: 0,
  headersWithoutKey: true,
  unavailableEvery: 0,
  rating: { min: 1, max: 5, step: 1 },
  title: { min: 1, max: 200 },
  description: { min: 1, max: 5_000 },
  text: { min: 0, max: 5_000 },
  screenshots: 10,
  bugs: 50,
  testers: 10_000,
  projects: 1_000,
  feedbackPerTester: 1_000,
  keys: {},
  accounts: {},
  delay: 0,
};
