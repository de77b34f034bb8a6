import { NetworkError } from "./errors.ts";

/** The code of a failure that another attempt cannot change. */
export const PERMANENT = "PERMANENT";

/** Codes of failures that another attempt cannot change: addresses, arguments, certificates, ports. */
const PERMANENT_CODES = /INVALID|CERT|VERIFY|bad port/;

/** What runtimes say when the network fails. Any other TypeError is a mistake in the caller's `fetch`. */
const NETWORK_FAILURE = /failed$|^failed to fetch|^(?!.* is )[^'.]*(network|connect|terminated|error )/i;

/** Wraps what `fetch` threw, with the message of the innermost cause. Also returns the codes of all causes. */
export function networkError(name: string, thrown: unknown, redact: (text: string) => string) {
  let message = thrown;
  let trace = "";
  let codes = "";
  let isMistake = false;
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    const { code = "" } = cause as Error & { code?: string };
    message = cause.message || code;
    trace += cause.stack;
    codes += code || message;
    isMistake = !code && /^(Type|Range|Reference)E/.test(cause.name) && !NETWORK_FAILURE.test(cause.message);
  }
  return {
    error: new NetworkError(redact(`${name}: ${message}`), {}, trace === redact(trace) ? { cause: thrown } : {}),
    codes: isMistake || PERMANENT_CODES.test(codes) ? PERMANENT : codes,
  };
}
