import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** A reproducible random sequence of numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface UpstreamResponse {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

type Fault = (response: ServerResponse, work: () => Promise<UpstreamResponse>) => unknown;

const html = (response: ServerResponse, status: number) =>
  response.writeHead(status, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
const refuse = (response: ServerResponse, status: number, headers = {}) =>
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ error: "Reason", message: "Try again." }));

/** Faults of a request. `work` forwards it to the server. */
const faults: Record<string, Fault> = {
  "dropped before the work": (response) => response.destroy(),
  "dropped during the work": (response, work) => {
    void work();
    response.destroy();
  },
  "dropped after the work": async (response, work) => {
    await work();
    response.destroy();
  },
  "cut in the body": async (response, work) => {
    const { status, headers, body } = await work();
    response.writeHead(status, headers).write(body.subarray(0, body.length / 2), () => response.destroy());
  },
  "429 with Retry-After": (response) => refuse(response, 429, { "retry-after": "0" }),
  "429 without": (response) => refuse(response, 429),
  "503 in JSON": (response) => refuse(response, 503, { "retry-after": "0" }),
  "502 in HTML": (response) => html(response, 502),
  "502 in HTML, after the work": async (response, work) => {
    await work();
    html(response, 502);
  },
  "503, empty": (response) => response.writeHead(503).end(),
  "504 in HTML, during the work": (response, work) => {
    void work();
    html(response, 504);
  },
  "200 in HTML": (response) => html(response, 200),
  "200 in HTML, after the work": async (response, work) => {
    await work();
    html(response, 200);
  },
  "200, empty": (response) => response.writeHead(200).end(),
};

/** Starts a proxy that injects faults into a share of the requests, in an order that depends on the seed. */
export async function startChaos(upstream: string, seed: number, share: number) {
  const random = randomOf(seed);
  const { hostname, port } = new URL(upstream);
  const counts: Record<string, number> = {};
  /** For each idempotency key, the distinct responses of the server. */
  const responses = new Map<string, Set<string>>();
  let count = 0;

  const server = createServer(async (incoming, response) => {
    count++;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const work = async () => {
      const { method, url: path, headers } = incoming;
      const forwarded = send({ hostname, port, method, path, headers }).end(Buffer.concat(chunks));
      const [upstreamResponse] = (await once(forwarded, "response")) as [IncomingMessage];
      const body = Buffer.concat(await upstreamResponse.toArray());
      const key = headers["idempotency-key"] as string | undefined;
      const status = upstreamResponse.statusCode ?? 0;
      // A 409 while the first attempt runs and a 5xx are no results. All other responses of a key must be the same.
      if (key && status < 500 && !body.includes("still running")) {
        responses.set(key, (responses.get(key) ?? new Set()).add(`${status} ${body}`));
      }
      return { status, headers: upstreamResponse.headers, body };
    };
    if (random() < share) {
      const names = Object.keys(faults);
      const name = names[Math.floor(random() * names.length)] as string;
      counts[name] = (counts[name] ?? 0) + 1;
      await faults[name]?.(response, work);
    } else {
      const { status, headers, body } = await work();
      response.writeHead(status, headers).end(body);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { baseUrl, responses, faults: counts, requests: () => count, stop };
}
