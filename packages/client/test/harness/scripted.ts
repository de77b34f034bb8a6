import { type ClientOptions, createClient, createPathClient } from "../../src/index.ts";

/** What a scripted server does with a request: answers, fails as a network does, or decides by the request. */
export type Act = Response | Error | ((request: Request) => Response | Promise<Response>);

export const apiKey = "pfs_averysecretkeyaverysecretkeyaverysecretkey123456";

/** A JSON answer, with what headers are given. */
export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

/** An error as the contract has it. */
export const refusal = (status: number, headers: Record<string, string> = {}): Response =>
  json({ error: "Reason", message: `Sentence of ${status}.` }, status, headers);

/** What Node throws where a connection was never made. */
export const refused = (): Error =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" }),
  });

/** What Node throws where a connection broke off. */
export const reset = (): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });

/** A `fetch` that does one act of the script after another, and the last one ever after. */
function script(...acts: Act[]) {
  const requests: Request[] = [];
  const signals: (AbortSignal | null | undefined)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(request.clone());
    signals.push(init?.signal);
    const act = acts[Math.min(requests.length, acts.length) - 1];
    if (act === undefined || act instanceof Error) throw act;
    return act instanceof Response ? act.clone() : act(request);
  };
  return { fetch, requests, signals };
}

/** Both clients over a script; retries come at once, unless the test says otherwise. */
export function scripted(acts: Act[], options: Partial<ClientOptions> = {}) {
  const { fetch, requests, signals } = script(...acts);
  const all = { baseUrl: "https://feedback.example.com/v1", apiKey, fetch, retryDelay: 0, ...options };
  return { client: createClient(all), paths: createPathClient(all), requests, signals };
}

export const page = (data: { id: string }[], total: number, number = 1, perPage = 20) => ({
  data,
  pagination: { page: number, perPage, total },
});

export const empty = () => json(page([], 0));

/** What a promise was rejected with. */
export const failure = <Reason = Error>(promise: Promise<unknown>): Promise<Reason> =>
  promise.then(
    (value) => {
      throw new Error(`Expected a failure, not ${JSON.stringify(value)}`);
    },
    (reason: Reason) => reason,
  );
