import type { ConformanceOptions } from "../options.ts";
import type { Sending } from "./client.ts";
import type { Exchange, Method } from "./exchange.ts";
import type { Cost, Holder, Level, Payer, Provision } from "./keys.ts";
import type { Redactor } from "./redactor.ts";

/** Keys that do not exist. Each is registered with the redactor, because two of them resemble a real key. */
export interface FalseKeys {
  /** Random, with the length and the kinds of characters of the developer's key. */
  readonly unknown: string;
  /** The developer's key with another last character. */
  readonly altered: string;
  /** The developer's key with one more character. */
  readonly extended: string;
}

/** What a check works with. It sends requests, and uses evidence that is gathered once for the whole run. */
export interface Context {
  /** The id of the run, a word of lower-case letters. Everything that the run creates carries it. */
  readonly run: string;
  readonly options: ConformanceOptions;
  readonly falseKeys: FalseKeys;
  readonly redactor: Redactor;
  /** Every exchange of the run so far. */
  readonly exchanges: readonly Exchange[];
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
  /** The evidence, gathered at the first use. @throws Unmet where it could not be gathered */
  use<T>(wanted: Evidence<T>): Promise<T>;
}

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
  gather(context: Context): Promise<T>;
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
  prove(context: Context): Promise<void> | void;
}

/** Evidence with its type told from `gather`. */
export function evidence<T>(declared: Evidence<T>): Evidence<T> {
  return declared;
}
