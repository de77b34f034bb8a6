import { until } from "@project-feedback/server/testing/processes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { peerNames } from "../servers/start.ts";
import { type Fleet, type ServerName, startFleet } from "./fleet.ts";
import { readsOn, requestsOn, type TestRequest } from "./requests.ts";
import { comparable, withoutNewValues } from "./send.ts";

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.stop());

const describeRequest = ({ as, method = "GET", path, body }: TestRequest) =>
  `${JSON.stringify(as)} ${method} ${path} ${JSON.stringify(body)?.slice(0, 120) ?? ""}`;

async function responsesOf(server: ServerName, requests: readonly TestRequest[]): Promise<object[]> {
  const responses: object[] = [];
  for (const request of requests) {
    responses.push({ request: describeRequest(request), ...comparable(await fleet.send(server, request)) });
  }
  return responses;
}

describe("given the same requests, our server and its peers", () => {
  let expected: object[];

  /** Two authors at once: their transactions write the same documents. */
  const submitAtOnce = async (server: ServerName) => {
    const path = `/projects/${fleet.fixture.projects.quiet}/feedback`;
    const authors = ["tester", "other", "tester", "other", "tester"] as const;
    const requests = authors.map(
      (as): TestRequest => ({ as, method: "POST", path, body: { overallRating: 3 }, status: 201 }),
    );
    const responses = await Promise.all(requests.map((each) => fleet.send(server, each)));
    expect(responses.map(({ status }) => status)).toEqual(requests.map(({ status }) => status));
  };

  /** All projects and feedback of a server, as JSON. */
  const storedIn = async (server: ServerName) => {
    const { projects, feedback } = fleet.fixture.databaseFor(server);
    // The ids of written batches of views are our server's own.
    const withoutBatches = { projection: { viewBatches: 0 } };
    const found = [await projects.find({}, withoutBatches).toArray(), await feedback.find().toArray()].flat();
    return found.map((document) => withoutNewValues(JSON.stringify(document))).sort();
  };

  beforeAll(async () => {
    const requests = [...readsOn(fleet.fixture), ...requestsOn(fleet.fixture)];
    expected = await responsesOf("ours", requests);
    const statuses = requests.map((request) =>
      expect.objectContaining({ request: describeRequest(request), status: request.status }),
    );
    expect(expected).toEqual(statuses);
    await submitAtOnce("ours");
  });

  test("answer reads as the floor does", async () => {
    const reads = await responsesOf("floor", readsOn(fleet.fixture));
    expect(expected.slice(0, reads.length)).toEqual(reads);
  });

  test.each(peerNames)("give the same responses and store the same: %s", async (peer) => {
    expect(await responsesOf(peer, [...readsOn(fleet.fixture), ...requestsOn(fleet.fixture)])).toEqual(expected);
    await submitAtOnce(peer);
    // A view may lag.
    const alike = async () => String(await storedIn(peer)) === String(await storedIn("ours"));
    await until(alike, "", 2_000).catch(() => {});
    expect(await storedIn(peer)).toEqual(await storedIn("ours"));
  });
});

describe("the allowance", () => {
  const list: TestRequest = { as: "free", path: "/projects?perPage=1", status: 200 };

  /** Sends 104 requests of an account with an allowance of 100, in turn to each process. */
  async function expectExactly100(
    processes: readonly ((request: TestRequest) => ReturnType<Fleet["send"]>)[],
  ): Promise<void> {
    const sent = Array.from({ length: 104 }, (_, number) => processes[number % processes.length]?.(list));
    const responses = (await Promise.all(sent)).filter((response) => response !== undefined);
    const admitted = responses.filter(({ status }) => status === 200);
    expect(admitted).toHaveLength(100);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(4);
    const left = admitted.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, number) => number));
    const [{ headers } = { headers: new Headers() }] = admitted;
    expect(headers.get("x-ratelimit-limit")).toBe("100");
    expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThan(0);
  }

  const shared = peerNames.filter((peer) => peer !== "fastify-tuned");
  test.each(shared)("is refused exactly past its limit by two processes of %s together", async (peer) => {
    const second = await fleet.another(peer);
    await expectExactly100([(request) => fleet.send(peer, request), second.send]);
  });

  test("is refused exactly past its limit by the one process of fastify-tuned", async () => {
    await expectExactly100([(request) => fleet.send("fastify-tuned", request)]);
  });

  test.each(peerNames)("is spent by bad requests too, but not by those without a key: %s", async (peer) => {
    const leftAfter = async (request: TestRequest) =>
      Number((await fleet.send(peer, request)).headers.get("x-ratelimit-remaining"));
    const good: TestRequest = { as: "reader", path: "/projects", status: 200 };
    const before = await leftAfter(good);
    await fleet.send(peer, { as: "reader", path: "/projects?page=0", status: 400 });
    await fleet.send(peer, { as: "reader", path: "/projects/prj_unknown", status: 404 });
    await fleet.send(peer, { as: null, path: "/projects", status: 401 });
    expect(await leftAfter(good)).toBe(before - 3);
  });
});
