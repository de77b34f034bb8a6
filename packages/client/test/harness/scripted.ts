import { type ClientOptions, createClient, createPathClient } from "../../src/index.ts";

/** What a scripted server does with a request: responds, fails like a network, or decides by the request. */
export type Step = Response | Error | ((request: Request) => Response | Promise<Response>);

export const apiKey = "pfs_averysecretkeyaverysecretkeyaverysecretkey123456";

/** A JSON response. */
export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

/** An error response as in the contract. */
export const errorResponse = (status: number, headers: Record<string, string> = {}): Response =>
  json({ error: "Reason", message: `Sentence of ${status}.` }, status, headers);

/** What Node throws if no connection can be made. */
export const connectionRefused = (): Error =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" }),
  });

/** What Node throws if a connection breaks. */
export const connectionReset = (): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });

/** A `fetch` that does one step of the script per request and repeats the last one. */
function script(...steps: Step[]) {
  const requests: Request[] = [];
  const signals: (AbortSignal | null | undefined)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(request.clone());
    signals.push(init?.signal);
    const step = steps[Math.min(requests.length, steps.length) - 1];
    if (step === undefined || step instanceof Error) throw step;
    return step instanceof Response ? step.clone() : step(request);
  };
  return { fetch, requests, signals };
}

/** Both clients with a scripted server. Retries do not wait, unless the test says otherwise. */
export function scripted(steps: Step[], options: Partial<ClientOptions> = {}) {
  const { fetch, requests, signals } = script(...steps);
  const all = { baseUrl: "https://feedback.example.com/v1", apiKey, fetch, retryDelay: 0, debug: false, ...options };
  return { client: createClient(all), paths: createPathClient(all), requests, signals };
}

export const page = (data: { id: string }[], total: number, number = 1, perPage = 20) => ({
  data,
  pagination: { page: number, perPage, total },
});

export const emptyPage = () => json(page([], 0));

/** The reason of a rejected promise. */
export const failure = <Reason = Error>(promise: Promise<unknown>): Promise<Reason> =>
  promise.then(
    (value) => {
      throw new Error(`Expected a failure, not ${JSON.stringify(value)}`);
    },
    (reason: Reason) => reason,
  );
