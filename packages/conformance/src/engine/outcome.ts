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

/** Something the check builds on failed; another check says so with its clause. */
export class Unmet extends Error {
  override readonly name = "Unmet";
  /** The exchange that failed. */
  readonly exchange: Exchange | undefined;

  constructor(message: string, exchange?: Exchange) {
    super(message);
    this.exchange = exchange;
  }
}

/** The check has nothing to say about this deployment. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** The check cannot see from here; the message says what it would need. */
export class NotTestable extends Error {
  override readonly name = "NotTestable";
}

/** The suite itself could not go on: the deployment is away, the allowance is used up, the run was interrupted. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
}

/** What the caller gave is wrong; nothing was sent. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
