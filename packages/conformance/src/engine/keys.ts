/** `stated` checks are MUST and decide the verdict; `chosen` checks compare with the reference and never fail a run. */
export type Level = "stated" | "chosen";

/** Whose key a request carries. `otherDeveloper` and `spare` are optional: a second developer, and a key whose allowance may be used up. */
export type Holder = "developer" | "tester" | "otherDeveloper" | "spare";

/** Whose allowance a request is charged to; `nobody` is a request without a valid key. */
export type Payer = Holder | "nobody";

/** Numbers of requests by payer. */
export type Cost = Readonly<Partial<Record<Payer, number>>>;

/** What only the configuration of the deployment can give. */
export type Provision = "draft" | "otherDeveloper" | "spare";
