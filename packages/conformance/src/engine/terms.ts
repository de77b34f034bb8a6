/** `stated` checks are MUST and decide the verdict; `chosen` checks compare with the reference and never fail a run. */
export type Level = "stated" | "chosen";

/** Whose key a request carries. `otherDeveloper` and `spare` are optional: a second developer, and a key whose allowance may be used up. */
export type Holder = "developer" | "tester" | "otherDeveloper" | "spare";

/** Whose allowance a request is charged to; `nobody` is a request without a valid key. */
export type Payer = Holder | "nobody";

/** Numbers of requests by payer. */
export type Cost = Readonly<Partial<Record<Payer, number>>>;

/** How much evidence a run gathers: `quick` fits the 100 requests an hour of a Free plan, `full` needs more. */
export type Depth = "quick" | "full";

/** Requests that a run makes at most with one key. */
export const budgets: Readonly<Record<Depth, number>> = { quick: 95, full: 400 };

/** What only the configuration of the deployment can give. */
export type Provision = "draft" | "otherDeveloper" | "spare";

/** The parts of the interface. The verdict is `conforms` only where every part was judged. */
export const groups = [
  "base",
  "authentication",
  "projects",
  "lists",
  "feedback",
  "roles",
  "drafts",
  "rate limits",
] as const;
export type Group = (typeof groups)[number];
