import type { components } from "@project-feedback/spec";

/** One thing that is wrong with a request: where, and what is expected (C-ERR-1). */
export type Fault = components["schemas"]["Fault"];

/** The closed table of refusals: code → status and reason phrase (C-ERR-2; RFC 9110 section 15, RFC 6585). */
export const refusals = {
  BadRequest: { status: 400, phrase: "Bad Request" },
  Unauthorized: { status: 401, phrase: "Unauthorized" },
  Forbidden: { status: 403, phrase: "Forbidden" },
  NotFound: { status: 404, phrase: "Not Found" },
  MethodNotAllowed: { status: 405, phrase: "Method Not Allowed" },
  Conflict: { status: 409, phrase: "Conflict" },
  ContentTooLarge: { status: 413, phrase: "Content Too Large" },
  UnsupportedMediaType: { status: 415, phrase: "Unsupported Media Type" },
  UnprocessableContent: { status: 422, phrase: "Unprocessable Content" },
  TooManyRequests: { status: 429, phrase: "Too Many Requests" },
  InternalServerError: { status: 500, phrase: "Internal Server Error" },
  ServiceUnavailable: { status: 503, phrase: "Service Unavailable" },
} as const satisfies {
  [Code in string & keyof components["schemas"]]?: { status: number; phrase: PhraseOf<Code> };
};

type PhraseOf<Code extends keyof components["schemas"]> = components["schemas"][Code] extends { error: infer Phrase }
  ? Phrase
  : never;

export type RefusalCode = keyof typeof refusals;

export interface RefusalExtras {
  /** Response headers that belong to the refusal, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is wrong where; of a 400 only. */
  readonly details?: readonly Fault[];
  /** Why, for the log; never shown to the caller. */
  readonly cause?: unknown;
}

/** A request that is refused: a public sentence, and a private cause. Mapped to HTTP in pipeline/report.ts alone. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly Fault[] | undefined;

  constructor(code: RefusalCode, message: string, extras: RefusalExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.code = code;
    this.headers = extras.headers ?? {};
    this.details = extras.details;
  }

  get status(): number {
    return refusals[this.code].status;
  }

  /** The body a caller gets (C-ERR-1). */
  get body(): { error: string; message: string; details?: readonly Fault[] } {
    const body = { error: refusals[this.code].phrase, message: this.message };
    return this.details ? { ...body, details: this.details } : body;
  }
}

/** A 400 with its faults, up to 20 of them (C-ERR-1). */
export function badRequest(details: readonly Fault[]): Refusal {
  const [first] = details;
  const rest = details.length - 1;
  const where = first?.at ? `${first.in} ${first.at}` : (first?.in ?? "request");
  const more = rest > 0 ? ` (and ${rest} more: see details)` : "";
  return new Refusal("BadRequest", `The ${where} ${first?.message ?? "is malformed"}${more}.`, {
    details: details.slice(0, 20),
  });
}

/** A 404 that says no more than that there is nothing for the caller to see (C-ERR-3). */
export function notFound(what: "project" | "feedback" | "path"): Refusal {
  return new Refusal(
    "NotFound",
    what === "path"
      ? "There is no such path. Compare it with the paths of the contract at /openapi.json."
      : `There is no such ${what}, or you may not see it. Check the id.`,
  );
}
