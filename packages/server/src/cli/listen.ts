import { randomUUID } from "node:crypto";
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type Koa from "koa";
import type { Config } from "../config.ts";

/** Requests that still run when the server stops may take this long, in milliseconds. */
const finishTimeoutMs = 30_000;
/** Longer than load balancers keep idle connections, so that the balancer closes them first. */
const keepAliveMs = 65_000;

/** A socket that serves an app. */
export interface Listener {
  readonly port: number;
  /** Takes no more connections and ends when the running requests have. */
  close(): Promise<void>;
}

/** Serves an app over HTTP, or HTTPS where there is a certificate. */
export async function listen(app: Koa, { host, port, tls }: Pick<Config, "host" | "port" | "tls">): Promise<Listener> {
  const callback = app.callback();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    // RFC 9112, section 3.2. Node's own refusal would have no body.
    if (request.httpVersion === "1.1" && request.headers.host === undefined) refuseMalformed(undefined, request.socket);
    else void callback(request, response);
  };
  const options = { requireHostHeader: false };
  const server: Server = tls ? createHttps({ ...options, ...tls }, handle) : createHttp(options, handle);
  // An expectation may be left unmet (RFC 9110, section 10.1.1); Node's own refusal would have no body.
  server.on("checkExpectation", handle);
  server.keepAliveTimeout = keepAliveMs;
  server.on("clientError", refuseMalformed);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that becomes idle only now would otherwise hold the server until its keep-alive ends.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const late = sleep(finishTimeoutMs, undefined, { ref: false }).then(() => server.closeAllConnections());
      await Promise.race([closed, late]);
      clearInterval(idle);
    },
  };
}

/** Answers a request that is not HTTP, which Koa never sees, in the shape of every other error (C-ERR-1). */
function refuseMalformed(error: NodeJS.ErrnoException | undefined, socket: import("node:stream").Duplex): void {
  if (error?.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, phrase] =
    error?.code === "HPE_HEADER_OVERFLOW"
      ? [431, "Request Header Fields Too Large"]
      : error?.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "Request Timeout"]
        : [400, "Bad Request"];
  const message = "The request is not well-formed HTTP, is too slow, or has headers that are too large. Correct it.";
  const details = status === 400 ? { details: [{ in: "header", at: "", message: "is not well-formed HTTP" }] } : {};
  const body = JSON.stringify({ error: phrase, message, ...details });
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${randomUUID()}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // A client that keeps its end open keeps no socket here.
  setTimeout(() => socket.destroy(), 1_000).unref();
}
