/** A request that did not succeed. Its message says what is wrong, and what to do. */
export class Problem extends Error {
  override readonly name = "Problem";
  /** What the error is about, as the account interface names it; undefined where the service did not say. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }

  /** The problem that a response reports. */
  static of(response: Response, body: unknown): Problem {
    const { message, code } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
    // The sentences of the service say what to do. A proxy in front of it has none.
    if (typeof message === "string" && typeof code === "string") return new Problem(message, code);
    return new Problem(withoutMessage(response));
  }

  /** Whether the session has ended, or there was none. */
  get isSignedOut(): boolean {
    return this.code === "not_signed_in";
  }
}

/** The problem of a request without a response. */
export function unreachable(): Problem {
  return new Problem(
    navigator.onLine
      ? "The service did not answer. Check that it is running and that you can reach it, then try again."
      : "You are offline. Connect to the network, then try again.",
  );
}

function withoutMessage({ status, headers }: Response): string {
  const seconds = Number(headers.get("Retry-After")) || undefined;
  const when = seconds ? `in ${seconds} seconds` : "in a minute";
  if (status === 429) return `There were too many requests. Try again ${when}.`;
  if (status === 502 || status === 503 || status === 504) return `The service is not available. Try again ${when}.`;
  return `The service answered ${status} without a reason. Reload the page, and tell your operator if it happens again.`;
}

/** What to tell of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Problem
    ? thrown.message
    : `This page failed (${thrown instanceof Error ? thrown.message : String(thrown)}). Reload it, and tell your operator if it happens again.`;
}
