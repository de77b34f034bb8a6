import rawBody from "raw-body";
import type { ContractOperation } from "../contract/contract.ts";
import type { ByteBudget } from "./byte-budget.ts";
import type { Context } from "./context.ts";
import { duplicateMembers } from "./duplicate-members.ts";
import { badRequest, HttpError } from "./http-error.ts";

/** Longest body, in bytes: 1 MiB (C-BOUND-1). */
export const maxBodyBytes = 1_048_576;

/** A parsed body, with the media type it was sent as. */
export interface Body {
  readonly type: string;
  readonly value: unknown;
}

/**
 * Reads and parses the body of a request. The time it takes to arrive is added to the deadline: a slow sender uses its
 * own time.
 * @returns undefined for an operation without a body
 * @throws HttpError 413 when it is too long, 415 for another type, 400 when it is not JSON, has a member twice, or is
 *   sent to an operation that has no body (C-STRICT-1), 503 past the budget
 */
export async function readBody(
  ctx: Context,
  { bodies, isBodyRequired }: ContractOperation,
  budget: ByteBudget,
): Promise<Body | undefined> {
  if (hasBody(ctx)) reserve(ctx, budget);
  const began = performance.now();
  if (bodies.size === 0) {
    if (hasBody(ctx) && (await readBytes(ctx)).length > 0)
      throw malformed("is not accepted by this operation; leave it out");
    return undefined;
  }
  const bytes = await readBytes(ctx);
  ctx.state.deadline.extend(performance.now() - began);
  if (bytes.length === 0 && !isBodyRequired) return undefined;
  const type = requireType(ctx, [...bodies.keys()], bytes.length);
  return { type, value: parseJson(bytes) };
}

/** Whether a request announces a body (RFC 9112 section 6). */
function hasBody({ headers }: Context): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Takes the length of the body from the budget until the response has been sent: parsed, it is not smaller. */
function reserve(ctx: Context, budget: ByteBudget): void {
  const { length = maxBodyBytes } = ctx.request;
  // One that is too long is refused before it is read.
  if (length > maxBodyBytes) return;
  if (!budget.reserve(length)) {
    ctx.req.resume();
    throw new HttpError("ServiceUnavailable", "The server is receiving too much at once. Try again shortly.", {
      headers: { "Retry-After": "2" },
    });
  }
  if (ctx.res.closed) budget.release(length);
  else ctx.res.once("close", () => budget.release(length));
}

async function readBytes(ctx: Context): Promise<Buffer> {
  try {
    return await rawBody(ctx.req, { limit: maxBodyBytes, length: ctx.request.length ?? null });
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === "entity.too.large") {
      // The rest is read and dropped, as Node does with an unread body: else the connection would stall.
      ctx.req.resume();
      const limit = maxBodyBytes.toLocaleString("en");
      throw new HttpError("ContentTooLarge", `The body is larger than ${limit} bytes. Send less.`);
    }
    // A client that closed the connection before its body was read.
    if (type === "request.aborted" || type === "request.size.invalid" || ctx.req.destroyed)
      throw malformed("ended early; send all of it");
    throw error;
  }
}

/** @returns the media type, in lower case and without parameters */
function requireType(ctx: Context, mediaTypes: readonly string[], length: number): string {
  const [type = "", ...parameters] = ctx
    .get("Content-Type")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const encoding = ctx.get("Content-Encoding").toLowerCase();
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "");
  const plain = encoding === "" || encoding === "identity";
  if (mediaTypes.includes(type) && plain && (charset === undefined || charset === "utf-8" || charset === "utf8"))
    return type;
  // Nothing sent at all is a missing body, not a body of the wrong type.
  if (length === 0 && type === "" && plain) throw malformed("is required");
  const expected = mediaTypes.join(" or ");
  const problem = plain ? "The body is not sent as UTF-8 JSON" : "A body with a Content-Encoding is not accepted";
  throw new HttpError("UnsupportedMediaType", `${problem}. Send it as ${expected}.`, {
    headers: ctx.method === "PATCH" ? { "Accept-Patch": mediaTypes.join(", ") } : {},
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw malformed("is required");
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed("is not well-formed UTF-8");
  }
  const value = parse(text);
  const faults = duplicateMembers(text, value);
  if (faults.length > 0) throw badRequest(faults);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`is not JSON (${(error as SyntaxError).message.slice(0, 200)})`);
  }
}

function malformed(message: string): HttpError {
  return badRequest([{ in: "body", at: "", message }]);
}
