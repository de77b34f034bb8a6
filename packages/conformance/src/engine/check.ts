import type { Stage } from "./stage.ts";

/** `stated` checks are MUST and decide the verdict; `chosen` ones compare with the reference and never fail. */
export type Level = "stated" | "chosen";

/** Who holds a key. `otherDeveloper` and `spare` are optional: a second developer, and a key whose allowance may be used up. */
export type Holder = "developer" | "tester" | "otherDeveloper" | "spare";

/** Whose allowance a request draws on; `nobody` sends no valid key. */
export type Payer = Holder | "nobody";

/** Requests, by whose allowance they draw on. */
export type Cost = Readonly<Partial<Record<Payer, number>>>;

/** What only the deployment can give, in its configuration. */
export type Provision = "draft" | "otherDeveloper" | "spare";

/** Something seen once and used by several checks: a record that was made, an answer that was given. */
export interface Evidence<T> {
  /** Names it in a sentence: "needs NAME". Unique. */
  readonly name: string;
  readonly needs: readonly Evidence<unknown>[];
  readonly provisions?: readonly Provision[];
  /** Requests it makes at most, beyond those of what it needs. */
  readonly cost: Cost;
  /** Whether it changes anything on the server; such evidence is not gathered by a read-only run. */
  readonly writes: boolean;
  gather(stage: Stage): Promise<T>;
}

/** One thing that is either so or not. */
export interface Check {
  /** Permanent; never reused for something else. */
  readonly id: string;
  /** What holds when it passes, in one sentence. */
  readonly title: string;
  /** Ids of the clauses it proves, the principal one first. */
  readonly clauses: readonly [string, ...string[]];
  readonly level: Level;
  readonly needs: readonly Evidence<unknown>[];
  readonly provisions?: readonly Provision[];
  /** Requests it makes at most, beyond those of what it needs. */
  readonly cost: Cost;
  readonly writes?: boolean;
  /** `end` judges what the whole run has seen, so it comes after everything was deleted; `exhaust` comes after that. */
  readonly phase?: "main" | "end" | "exhaust";
  /** Returns when the check holds; throws what stands against it (see outcome.ts). */
  prove(stage: Stage): Promise<void> | void;
}

/** Evidence with its type told from `gather`. */
export function evidence<T>(declared: Evidence<T>): Evidence<T> {
  return declared;
}
