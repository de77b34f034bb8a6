import type { Exchange } from "./exchange.ts";

/** Both sides of a failure, in words or as values. */
export interface Contradiction {
  readonly expected: unknown;
  readonly seen: unknown;
  /** The exchange that shows it; the latest of the check when absent. */
  readonly exchange?: Exchange | undefined;
}

/** The deployment does not keep the clause. */
export class Violation extends Error {
  override readonly name = "Violation";
  readonly expected: unknown;
  readonly seen: unknown;
  readonly exchange: Exchange | undefined;

  constructor(message: string, { expected, seen, exchange }: Contradiction) {
    super(message);
    this.expected = expected;
    this.seen = seen;
    this.exchange = exchange;
  }
}

/** Something that the check builds on failed. The check could not run, and the cause is reported once. */
export class Unmet extends Error {
  override readonly name = "Unmet";
  /** The exchange that failed. */
  readonly exchange: Exchange | undefined;
  /** What would make the check testable, as an instruction. */
  readonly remedy: string | undefined;

  constructor(message: string, exchange?: Exchange, remedy?: string) {
    super(message);
    this.exchange = exchange;
    this.remedy = remedy;
  }
}

/** The check has nothing to say about this deployment. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** The check needs something that the caller did not give; the message names it. */
export class NotTestable extends Error {
  override readonly name = "NotTestable";
}

/** The suite itself could not go on: the deployment is away, the allowance is used up, the run was interrupted. */
export class HarnessError extends Error {
  override readonly name: string = "HarnessError";
}

/** The keys or the address turned out to be wrong, so that nothing can be judged. */
export class SetupError extends HarnessError {
  override readonly name = "SetupError";
}

/** What the caller gave is wrong; nothing was sent. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
