import type { ConformanceOptions } from "../options.ts";
import type { Sending } from "./client.ts";
import type { Exchange, Method } from "./exchange.ts";
import type { Redactor } from "./redactor.ts";
import type { Cost, Depth, Group, Holder, Level, Payer, Provision } from "./terms.ts";

/** What a check works with. It sends requests, and uses evidence that is gathered once for the whole run. */
export interface Context {
  /** The id of the run, a word of lower-case letters. Everything that the run creates carries it. */
  readonly run: string;
  readonly options: ConformanceOptions;
  readonly depth: Depth;
  readonly redactor: Redactor;
  /** Every exchange of the run so far. */
  readonly exchanges: readonly Exchange[];
  /** The exchanges of the stated evidence, without those of chosen checks, which ask for what only the reference promises. */
  readonly observed: readonly Exchange[];
  /** Sends a request with the key of `holder`. */
  send(holder: Holder, method: Method, path: string, sending?: Sending): Promise<Exchange>;
  /** Sends a request without a valid key; undefined sends no Authorization header. */
  sendAs(authorization: string | undefined, method: Method, path: string, sending?: Sending): Promise<Exchange>;
  /** Sends a request with the given Authorization header, charged to `payer`. */
  sendRaw(
    payer: Payer,
    authorization: string | undefined,
    method: Method,
    path: string,
    sending?: Sending,
  ): Promise<Exchange>;
  /** Creates a record. It is entered in the ledger before `send` is called. */
  make(what: "project" | "feedback", holder: Holder, send: () => Promise<Exchange>): Promise<Exchange>;
  /** Enters in the ledger that a project is deleted. */
  gone(id: string): void;
  /** Says whose key reads feedback, so that its requests are kept in reserve. */
  readFeedbackWith(holder: "tester" | "developer"): void;
  /** Whether a key can make `count` more requests and still everything that the plan needs. */
  affords(payer: Payer, count?: number): boolean;
  /** Waits, unless the run is interrupted. */
  pause(seconds: number): Promise<void>;
  /** The evidence, gathered at the first use. @throws Unmet where it could not be gathered */
  use<T>(wanted: Evidence<T>): Promise<T>;
}

/** Something observed once and used by several checks: a record that was created, a response that was given. */
export interface Evidence<T> {
  /** Names it in a sentence: "needs NAME". Unique. */
  readonly name: string;
  readonly needs: readonly Evidence<unknown>[];
  readonly provisions?: readonly Provision[];
  /** Requests that it needs at most, beyond those of what it needs. */
  readonly cost: Cost;
  /** Readings of feedback among its requests, charged to the key that reads feedback and not counted in `cost`. */
  readonly reads?: number;
  /** Requests that it adds at most where the budget of the depth permits. */
  readonly optional?: Readonly<Record<Depth, Cost>>;
  /** Whether it changes anything on the server; a read-only run does not gather such evidence. */
  readonly writes: boolean;
  gather(context: Context): Promise<T>;
}

/** One property that holds or does not hold. */
export interface Check {
  /** Permanent; never reused for something else. */
  readonly id: string;
  /** What holds when it passes, in one sentence. */
  readonly title: string;
  /** Ids of the clauses that it proves, the principal one first. */
  readonly clauses: readonly [string, ...string[]];
  readonly group: Group;
  readonly level: Level;
  readonly needs: readonly Evidence<unknown>[];
  readonly provisions?: readonly Provision[];
  /** Requests that it makes at most, beyond those of what it needs. */
  readonly cost: Cost;
  readonly writes?: boolean;
  /** `end` judges all exchanges of the run, after everything is deleted; `exhaust` comes last. */
  readonly phase?: "main" | "end" | "exhaust";
  /** Returns when the check holds; throws an outcome of outcome.ts otherwise. */
  prove(context: Context): Promise<void> | void;
}

/** Evidence with its type told from `gather`. */
export function evidence<T>(declared: Evidence<T>): Evidence<T> {
  return declared;
}
