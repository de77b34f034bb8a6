import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { Log } from "./context.ts";
import { badRequest } from "./http-error.ts";
import type { Observe } from "./request-logger.ts";
import { secureHeaders } from "./secure-headers.ts";

/** Answers a request that Node's parser refuses, which Koa never sees, and closes the connection. */
export type RefuseMalformed = (code: string | undefined, connection: Duplex) => void;

export interface MalformedRequestOptions {
  readonly log: Log;
  readonly observe: Observe;
  /** The three headers of a client address (S-RATE-1). */
  readonly rateLimitHeaders: (address: string) => Readonly<Record<string, string>>;
}

/** How long a client may keep its end of a refused connection open, in milliseconds. */
const lingerMs = 1_000;

/** Refuses malformed requests in the shape of every other error (C-ERR-1, C-ERR-4, S-RATE-1). */
export function createRefuseMalformed({ log, observe, rateLimitHeaders }: MalformedRequestOptions): RefuseMalformed {
  return (code, connection) => {
    if (code === "ECONNRESET" || !connection.writable) return void connection.destroy();
    const { remoteAddress = "", encrypted = false } = connection as Socket & Partial<Pick<TLSSocket, "encrypted">>;
    const requestId = randomUUID();
    const { status, error, ...rest } = errorOf(code);
    const body = JSON.stringify({ error, ...rest });
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(body)),
      Connection: "close",
      "X-Request-Id": requestId,
      ...secureHeaders(encrypted),
      ...rateLimitHeaders(remoteAddress),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    connection.end(`HTTP/1.1 ${status} ${error}\r\n${lines.join("")}\r\n${body}`);
    setTimeout(() => connection.destroy(), lingerMs).unref();
    log.info({ requestId, status, code, address: remoteAddress }, "malformed request");
    observe("none", status, 0);
  };
}

function errorOf(code: string | undefined): { status: number; error: string; message: string; code?: string } {
  if (code === "HPE_HEADER_OVERFLOW") {
    const message = "The request's headers are larger than 16 KiB. Send less.";
    return { status: 431, error: "Request Header Fields Too Large", message, code: "invalid_request" };
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    const message = "The request took too long to arrive: its headers more than 10 s, or all of it more than 30 s.";
    return { status: 408, error: "Request Timeout", message, code: "invalid_request" };
  }
  const { status, body } = badRequest([{ in: "header", at: "", message: "is not well-formed HTTP" }]);
  return { status, ...body };
}
