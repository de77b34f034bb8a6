import { until } from "@project-feedback/server/testing/processes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { peerNames } from "../servers/start.ts";
import { comparable, withoutWhatIsNew } from "./ask.ts";
import { type Fleet, type ServerName, startFleet } from "./fleet.ts";
import { type Asked, readsOn, requestsOn } from "./requests.ts";

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.stop());

const named = ({ as, method = "GET", path, body }: Asked) =>
  `${JSON.stringify(as)} ${method} ${path} ${JSON.stringify(body)?.slice(0, 120) ?? ""}`;

async function answersOf(server: ServerName, requests: readonly Asked[]): Promise<object[]> {
  const answers: object[] = [];
  for (const asked of requests) {
    answers.push({ asked: named(asked), ...comparable(await fleet.ask(server, asked)) });
  }
  return answers;
}

describe("asked the same, our server and its peers", () => {
  let expected: object[];

  /** Two authors at once: both records of a transaction are fought for. */
  const submitAtOnce = async (server: ServerName) => {
    const path = `/projects/${fleet.world.projects.quiet}/feedback`;
    const authors = ["tester", "other", "tester", "other", "tester"] as const;
    const asked = authors.map((as): Asked => ({ as, method: "POST", path, body: { overallRating: 3 }, status: 201 }));
    const answers = await Promise.all(asked.map((each) => fleet.ask(server, each)));
    expect(answers.map(({ status }) => status)).toEqual(asked.map(({ status }) => status));
  };

  /** What is stored of projects and feedback: what was made here as well as the counts of all. */
  const createRepositories = async (server: ServerName) => {
    const { projects, feedback } = fleet.world.databaseFor(server);
    const found = [await projects.find().toArray(), await feedback.find().toArray()].flat();
    return found.map((document) => withoutWhatIsNew(JSON.stringify(document))).sort();
  };

  beforeAll(async () => {
    const requests = [...readsOn(fleet.world), ...requestsOn(fleet.world)];
    expected = await answersOf("ours", requests);
    const statuses = requests.map((asked) => expect.objectContaining({ asked: named(asked), status: asked.status }));
    expect(expected).toEqual(statuses);
    await submitAtOnce("ours");
  });

  test("answer what the floor answers, where it has an answer", async () => {
    const reads = await answersOf("floor", readsOn(fleet.world));
    expect(expected.slice(0, reads.length)).toEqual(reads);
  });

  test.each(peerNames)("answer the same and store the same: %s", async (peer) => {
    expect(await answersOf(peer, [...readsOn(fleet.world), ...requestsOn(fleet.world)])).toEqual(expected);
    await submitAtOnce(peer);
    // A view may lag.
    const alike = async () => String(await createRepositories(peer)) === String(await createRepositories("ours"));
    await until(alike, "", 2_000).catch(() => {});
    expect(await createRepositories(peer)).toEqual(await createRepositories("ours"));
  });
});

describe("the allowance", () => {
  const list: Asked = { as: "free", path: "/projects?perPage=1", status: 200 };

  /** Sends 104 requests of an account with an allowance of 100, in turn to each process. */
  async function expectExactly100(processes: readonly ((asked: Asked) => ReturnType<Fleet["ask"]>)[]): Promise<void> {
    const asked = Array.from({ length: 104 }, (_, number) => processes[number % processes.length]?.(list));
    const answers = (await Promise.all(asked)).filter((answer) => answer !== undefined);
    const admitted = answers.filter(({ status }) => status === 200);
    expect(admitted).toHaveLength(100);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    const left = admitted.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, number) => number));
    const [{ headers } = { headers: new Headers() }] = admitted;
    expect(headers.get("x-ratelimit-limit")).toBe("100");
    expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThan(0);
  }

  const shared = peerNames.filter((peer) => peer !== "fastify-tuned");
  test.each(shared)("is refused exactly past its limit by two processes of %s together", async (peer) => {
    const second = await fleet.another(peer);
    await expectExactly100([(asked) => fleet.ask(peer, asked), second.ask]);
  });

  test("is refused exactly past its limit by the one process of fastify-tuned", async () => {
    await expectExactly100([(asked) => fleet.ask("fastify-tuned", asked)]);
  });

  test.each(peerNames)("is spent by bad requests too, but not by those without a key: %s", async (peer) => {
    const leftAfter = async (asked: Asked) =>
      Number((await fleet.ask(peer, asked)).headers.get("x-ratelimit-remaining"));
    const good: Asked = { as: "reader", path: "/projects", status: 200 };
    const before = await leftAfter(good);
    await fleet.ask(peer, { as: "reader", path: "/projects?page=0", status: 400 });
    await fleet.ask(peer, { as: "reader", path: "/projects/prj_unknown", status: 404 });
    await fleet.ask(peer, { as: null, path: "/projects", status: 401 });
    expect(await leftAfter(good)).toBe(before - 3);
  });
});
