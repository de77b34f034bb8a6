import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

type Fault = (response: ServerResponse, work: () => Promise<Answer>) => unknown;

const html = (response: ServerResponse, status: number) =>
  response.writeHead(status, { "content-type": "text/html" }).end("<h1>It is not you, it is us.</h1>");
const refuse = (response: ServerResponse, status: number, headers = {}) =>
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ error: "Reason", message: "Try again." }));

/** What becomes of a request; `work` lets the server behind do it. */
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

/** A proxy before a server, which spoils a share of the requests as the seed has it. */
export async function startChaos(upstream: string, seed: number, share: number) {
  const random = randomOf(seed);
  const { hostname, port } = new URL(upstream);
  const spoiled: Record<string, number> = {};
  /** For each idempotency key, the distinct answers that the server behind gave to it. */
  const answers = new Map<string, Set<string>>();
  let count = 0;

  const server = createServer(async (incoming, response) => {
    count++;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const work = async () => {
      const { method, url: path, headers } = incoming;
      const forwarded = send({ hostname, port, method, path, headers }).end(Buffer.concat(chunks));
      const [answer] = (await once(forwarded, "response")) as [IncomingMessage];
      const body = Buffer.concat(await answer.toArray());
      const key = headers["idempotency-key"] as string | undefined;
      const status = answer.statusCode ?? 0;
      // While the first runs, a 409; a 5xx did nothing. Any other answer is the first, whichever attempt gets it.
      if (key && status < 500 && !body.includes("still running")) {
        answers.set(key, (answers.get(key) ?? new Set()).add(`${status} ${body}`));
      }
      return { status, headers: answer.headers, body };
    };
    if (random() < share) {
      const names = Object.keys(faults);
      const name = names[Math.floor(random() * names.length)] as string;
      spoiled[name] = (spoiled[name] ?? 0) + 1;
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
  return { baseUrl, answers, spoiled, requests: () => count, stop };
}
