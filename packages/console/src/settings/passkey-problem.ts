import { Problem } from "../shared/problem.ts";

/** What a browser's refusal of a passkey means, and what to do. */
export function passkeyProblem(thrown: unknown): Problem {
  const name = thrown instanceof Error ? thrown.name : "";
  if (name === "NotAllowedError" || name === "AbortError") {
    return new Problem("No passkey was used: the browser's question was cancelled, or it timed out. Try again.");
  }
  if (name === "InvalidStateError") {
    return new Problem("This device already has a passkey of the account. Use that one, or another device.");
  }
  return new Problem("This browser could not use a passkey here. Try another browser, or sign in another way.");
}
