import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttps, type Server as HttpsServer } from "node:https";
import { Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import type { Config } from "../config.ts";
import { hasValidHost } from "../http/host.ts";
import type { Service } from "../service.ts";

/** Longer than load balancers keep idle connections, so that the balancer closes them first. */
const keepAliveMs = 65_000;
/** A client that has not sent its headers, or all of its request, in so many milliseconds gets 408. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const checkTimeoutsEveryMs = 1_000;

type Tls = NonNullable<Config["tls"]>;

/** A socket that serves an app. */
export interface Listener {
  readonly port: number;
  /** Uses another certificate for the connections from now on. */
  reloadCertificate(tls: Tls): void;
  /** Takes no more connections and ends when the running requests have. */
  close(): Promise<void>;
}

/** What is served: an app, and what must be known of its connections. */
export type Served = Pick<Service, "app" | "connections" | "refuseMalformed">;

/** Serves an app over HTTP, or HTTPS where there is a certificate. */
export async function listen(served: Served, config: Pick<Config, "host" | "port" | "tls">): Promise<Listener> {
  const { connections } = served;
  const server = createServer(served, config.tls);
  // Past the limit a connection is told to come back later; past twice the limit it is closed without a word.
  server.maxConnections = connections.limit * 2;
  const port = await open(server, config);
  return {
    port,
    reloadCertificate: (tls) => (server as HttpsServer).setSecureContext(tls),
    close() {
      // http.Server's own `close` would also destroy idle connections, and with them requests that are on their way.
      NetServer.prototype.close.call(server);
      return connections.close();
    },
  };
}

function createServer({ app, connections, refuseMalformed }: Served, tls: Tls | undefined): Server {
  const callback = app.callback();
  const latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // The connection was ended while this request was on its way: its response could not be sent.
    if (!socket.writable) return void socket.destroy();
    if (!hasValidHost(request)) return refuseMalformed(undefined, socket);
    latest.set(socket, { request, response });
    connections.begin(socket, response);
    void callback(request, response);
  };
  const options = {
    // RFC 9112 section 3.2 is checked in `handle`: Node's own response would have no body.
    requireHostHeader: false,
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: checkTimeoutsEveryMs,
  };
  const server: Server = tls
    ? createHttps({ ...options, ...tls, handshakeTimeout: headersTimeoutMs }, handle)
    : createHttp(options, handle);
  server.on(tls ? "secureConnection" : "connection", (connection: Duplex) => connections.add(connection));
  // An expectation may be left unmet (RFC 9110 section 10.1.1); Node's own response would have no body.
  server.on("checkExpectation", handle);
  server.on("clientError", ({ code }: NodeJS.ErrnoException, connection: Duplex) => {
    const { request, response } = latest.get(connection) ?? {};
    // The request has its response already, and only the rest of its body is missing.
    if (request?.complete === false && response?.headersSent) connection.destroy();
    else refuseMalformed(code, connection);
  });
  return server;
}

async function open(server: Server, { host, port }: Pick<Config, "host" | "port">): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return typeof address === "object" && address ? address.port : port;
}
