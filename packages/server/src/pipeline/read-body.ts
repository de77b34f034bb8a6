import rawBody from "raw-body";
import { badRequest, type Fault, Refusal } from "../errors.ts";
import type { Exchange, Step } from "./exchange.ts";

/** Longest body, in bytes: 1 MiB (C-BOUND-1). */
export const longestBody = 1_048_576;

/** Reads a JSON body where the operation takes one: not too long (413), of the right type (415), well-formed (400). */
export const readBody: Step = async (exchange, next) => {
  const mediaTypes = exchange.state.operation?.mediaTypes ?? [];
  if (mediaTypes.length > 0) {
    const began = performance.now();
    const bytes = await readBytes(exchange);
    // A slow sender takes its own time, not the database's.
    exchange.state.deadline += performance.now() - began;
    requireType(exchange, mediaTypes, bytes.length);
    exchange.state.body = parseJson(bytes);
  }
  await next();
};

async function readBytes(exchange: Exchange): Promise<Buffer> {
  try {
    return await rawBody(exchange.req, { limit: longestBody, length: exchange.request.length ?? null });
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === "entity.too.large") {
      // The rest is read and dropped, as Node does with a body nobody wants: else the connection would stand still.
      exchange.req.resume();
      throw new Refusal(
        "ContentTooLarge",
        `The body is larger than ${longestBody.toLocaleString("en")} bytes. Send less.`,
      );
    }
    // A client that left before its body was asked for has left an unreadable one.
    if (type === "request.aborted" || type === "request.size.invalid" || exchange.req.destroyed)
      throw malformed("ended early; send all of it");
    throw error;
  }
}

function requireType(exchange: Exchange, mediaTypes: readonly string[], length: number): void {
  const [type = "", ...parameters] = exchange
    .get("Content-Type")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const encoding = exchange.get("Content-Encoding").toLowerCase();
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
  throw new Refusal("UnsupportedMediaType", `${problem}. Send it as ${expected}.`, {
    headers: exchange.method === "PATCH" ? { "Accept-Patch": mediaTypes.join(", ") } : {},
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

function malformed(message: string): Refusal {
  const fault: Fault = { in: "body", at: "", message };
  return badRequest([fault]);
}
