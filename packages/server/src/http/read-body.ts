import rawBody from "raw-body";
import type { ContractOperation } from "../contract/contract.ts";
import type { Context } from "./context.ts";
import { badRequest, HttpError } from "./http-error.ts";

/** Longest body, in bytes: 1 MiB (C-BOUND-1). */
export const maxBodyBytes = 1_048_576;

/**
 * Reads the JSON body of an operation that takes one, and parses it. The time it takes to arrive is added to the
 * deadline: a slow sender uses its own time.
 * @returns the parsed body; undefined where the operation takes none
 * @throws HttpError 413 when it is too long, 415 for another type, 400 when it is not JSON
 */
export async function readBody(ctx: Context, { mediaTypes }: ContractOperation): Promise<unknown> {
  if (mediaTypes.length === 0) return undefined;
  const began = performance.now();
  const bytes = await readBytes(ctx);
  ctx.state.deadline.extend(performance.now() - began);
  requireType(ctx, mediaTypes, bytes.length);
  return parseJson(bytes);
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

function requireType(ctx: Context, mediaTypes: readonly string[], length: number): void {
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
    return;
  // Nothing sent at all is a missing body, not a body of the wrong type.
  if (length === 0 && type === "" && plain) throw malformed("is required");
  const expected = mediaTypes.join(" or ");
  const problem = plain ? "The body is not sent as UTF-8 JSON" : "A body with a Content-Encoding is not taken";
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
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`is not JSON (${(error as SyntaxError).message.slice(0, 200)})`);
  }
}

function malformed(message: string): HttpError {
  return badRequest([{ in: "body", at: "", message }]);
}
