import { request } from "node:http";
import { connect } from "node:net";
import type { Caller } from "./caller.ts";

/** The response to a request that `fetch` would not send. */
export interface RawReceived {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: as in caller.ts
  readonly body: any;
}

export interface RawInit {
  /** Names and values alternate, so that a name can be sent twice. */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
  /** Send the body in chunks, without Content-Length. */
  readonly chunked?: boolean;
}

/** Sends any method to any target, both unchanged; with the caller's key, if it has one. */
export function sendRaw(caller: Caller, method: string, target: string, init: RawInit = {}): Promise<RawReceived> {
  const { headers = [], body, chunked = false } = init;
  const names = headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const key = caller.key && !names.includes("authorization") ? ["Authorization", `Bearer ${caller.key}`] : [];
  const length = body === undefined || chunked ? [] : ["Content-Length", String(Buffer.byteLength(body))];
  const { hostname, port, host } = new URL(caller.origin);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      ...{ method, path: target, hostname, port, agent: false },
      headers: ["Host", host, ...key, ...length, ...(chunked ? ["Transfer-Encoding", "chunked"] : []), ...headers],
    });
    outgoing.once("error", reject);
    outgoing.once("response", async (response) => {
      // The server may respond before it has read the whole body, and close: that is no failure.
      outgoing.on("error", () => undefined);
      let text = "";
      for await (const part of response.setEncoding("utf8")) text += part;
      const parsed = text === "" ? undefined : JSON.parse(text);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed });
    });
    if (body === undefined) outgoing.end();
    else if (chunked) {
      const bytes = Buffer.from(body);
      for (let at = 0; at < bytes.length; at += 65_536) outgoing.write(bytes.subarray(at, at + 65_536));
      outgoing.end();
    } else outgoing.end(body);
  });
}

/** Writes text to the server's socket. Returns all that the server sends until it closes the connection. */
export function sendText(origin: string, text: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding("utf8").on("data", (part) => {
      received += part;
    });
    socket.once("error", reject).once("close", () => resolve(received));
  });
}
