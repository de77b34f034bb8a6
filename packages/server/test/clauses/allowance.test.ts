import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { Received } from "../harness/caller.ts";
import { sendRaw } from "../harness/raw.ts";
import { aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const limitOf = ({ headers }: Received) => Number(headers.get("X-RateLimit-Limit"));
const remainingOf = ({ headers }: Received) => Number(headers.get("X-RateLimit-Remaining"));
const resetOf = ({ headers }: Received) => Number(headers.get("X-RateLimit-Reset"));

describe("with the allowances of the interface", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ config: readConfig({}) });
  });
  afterAll(() => server.stop());

  test.each([
    ["free", 100],
    ["pro", 1_000],
    ["team", 10_000],
  ] as const)("S-RATE-2 S-RATE-1: the %s plan has %i requests an hour", async (plan, limit) => {
    const caller = await server.account({ plan });
    const began = Math.floor(Date.now() / 1_000);
    const first = await caller.get("/projects");
    expect([limitOf(first), remainingOf(first)]).toEqual([limit, limit - 1]);
    expect(resetOf(first)).toBeGreaterThanOrEqual(began + 3_600);
    expect(resetOf(first)).toBeLessThanOrEqual(began + 3_660);
  });

  test("S-RATE-3 C-RATE-2: on the free plan, request 101 and every later one get a 429", async () => {
    const caller = await server.account({ plan: "free" });
    let reset = 0;
    for (let left = 99; left >= 0; left -= 1) {
      const answer = await caller.get("/projects?perPage=1");
      expect([answer.status, remainingOf(answer)]).toEqual([200, left]);
      reset ||= resetOf(answer);
      expect(resetOf(answer)).toBe(reset);
    }
    for (const path of ["/projects", "/projects/none", "/nothing"]) {
      const refused = await caller.get(path);
      expect([refused.status, refused.body.error]).toEqual([429, "Too Many Requests"]);
      expect([limitOf(refused), remainingOf(refused), resetOf(refused)]).toEqual([100, 0, reset]);
      const wait = Number(refused.headers.get("Retry-After"));
      expect(Math.abs(Date.now() / 1_000 + wait - reset)).toBeLessThan(3);
    }
  });

  test("C-RATE-3: an address may send 1,000 requests an hour without a valid key", async () => {
    const answer = await server.stranger().get("/projects");
    expect([answer.status, limitOf(answer)]).toEqual([401, 1_000]);
  });
});

describe("with small allowances", () => {
  const windowMs = 4_000;
  const config = { allowances: { free: 8, pro: 40, team: 100_000 }, addressAllowance: 30, trustedProxies: 1 };
  let server: TestServer;
  let other: TestServer;
  beforeAll(async () => {
    server = await startServer({ config });
    other = await startServer({ config, databaseName: server.databaseName });
  });
  afterAll(async () => {
    await other.stop();
    await server.stop();
  });

  test("S-RATE-1: every response has the three headers with numbers, whatever its status", async () => {
    const caller = await server.account();
    const { id } = await aProject(caller);
    const json = { "Content-Type": "application/json" };
    for (const [status, answer] of [
      [200, await caller.get("/projects")],
      [201, await caller.post("/projects", { title: "a", description: "b", category: "web" })],
      [400, await caller.get("/projects?x")],
      [401, await server.stranger().get("/projects")],
      [404, await caller.get("/nothing")],
      [405, await caller.send("PUT", "/projects")],
      [409, await caller.patch(`/projects/${id}`, { status: "draft" })],
      [413, await caller.send("POST", "/projects", { headers: json, body: " ".repeat(1_048_577) })],
      [415, await caller.send("POST", "/projects", { headers: { "Content-Type": "text/plain" }, body: "{}" })],
    ] as const) {
      expect(answer.status).toBe(status);
      for (const name of ["Limit", "Remaining", "Reset"]) {
        expect(answer.headers.get(`X-RateLimit-${name}`), `${status} ${name}`).toMatch(/^\d+$/);
      }
    }
  });

  test("C-RATE-2: every authenticated request counts, whatever its status, except those that get a 429", async () => {
    const caller = await server.account({ plan: "free", role: "tester" });
    const answers = [
      await caller.get("/projects"),
      await caller.get("/projects?x"),
      await caller.get("/nothing"),
      await caller.send("PUT", "/projects"),
      await caller.post("/projects", { title: "a", description: "b", category: "web" }),
      await caller.send("POST", "/projects", { headers: { "Content-Type": "text/plain" }, body: "{}" }),
      await caller.send("HEAD", "/projects"),
      await caller.send("OPTIONS", "/projects"),
      await caller.get("/projects"),
      await caller.get("/projects"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 405, 403, 415, 200, 405, 429, 429]);
    expect(answers.map(remainingOf)).toEqual([7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    const { granted } = (await server.database.allowances.findOne({ _id: caller.id })) ?? { granted: 0 };
    expect(granted).toBe(8);
  });

  test("C-RATE-1: the keys of an account share its allowance; accounts do not share", async () => {
    const [caller, neighbour] = [await server.account({ plan: "free" }), await server.account({ plan: "free" })];
    const again = await server.anotherKey(caller);
    const answers = [];
    for (const one of [caller, again, again, caller]) answers.push(remainingOf(await one.get("/projects")));
    expect(answers).toEqual([7, 6, 5, 4]);
    expect(remainingOf(await neighbour.get("/projects"))).toBe(7);
  });

  test.each(["free", "pro"] as const)(
    "C-RATE-1: two servers together grant exactly the %s allowance to concurrent requests",
    async (plan) => {
      const caller = await server.account({ plan });
      const there = await other.anotherKey(caller);
      const limit = config.allowances[plan];
      const answers = await Promise.all(
        Array.from({ length: limit + 20 }, (_, place) => (place % 3 === 0 ? there : caller).get("/projects?perPage=1")),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
      for (const answer of answers) expect(remainingOf(answer)).toBeGreaterThanOrEqual(0);
      expect((await there.get("/projects")).status).toBe(429);
    },
  );

  test("C-RATE-1: requests that one server holds and does not spend can be spent by the other", async () => {
    const caller = await server.account({ plan: "pro" });
    const there = await other.anotherKey(caller);
    for (let spent = 0; spent < 10; spent += 1) await caller.get("/projects");
    let admitted = 0;
    while ((await there.get("/projects")).status === 200) admitted += 1;
    expect(admitted).toBe(30);
    expect((await caller.get("/projects")).status).toBe(429);
  });

  test("C-RATE-1: after a change of plan the new limit applies, minus the requests already used", async () => {
    const caller = await server.account({ plan: "free" });
    for (let spent = 0; spent < 8; spent += 1) await caller.get("/projects");
    expect((await caller.get("/projects")).status).toBe(429);
    await server.accounts.change(caller.id, { plan: "pro" });
    await vi.waitFor(async () => expect((await caller.get("/projects")).status).toBe(200), {
      timeout: 5_000,
      interval: 100,
    });
    const answer = await caller.get("/projects");
    expect([limitOf(answer), remainingOf(answer)]).toEqual([40, 30]);
  });

  test("C-RATE-1 S-RATE-3: when a window ends, a new one begins with the full allowance", async () => {
    const quick = await startServer({ config, windowMs });
    try {
      const caller = await quick.account({ plan: "free" });
      const first = await caller.get("/projects");
      for (let spent = 0; spent < 8; spent += 1) await caller.get("/projects");
      const refused = await caller.get("/projects");
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("Retry-After"))).toBeLessThanOrEqual(windowMs / 1_000);
      await vi.waitFor(async () => expect((await caller.get("/projects")).status).toBe(200), {
        timeout: windowMs + 2_000,
        interval: 50,
      });
      expect(Date.now()).toBeGreaterThanOrEqual((resetOf(first) - 1) * 1_000);
      const next = await caller.get("/projects");
      expect(remainingOf(next)).toBe(6);
      expect(resetOf(next)).toBeGreaterThan(resetOf(first));
    } finally {
      await quick.stop();
    }
  });

  test("C-RATE-3: requests without a valid key are counted for each address, and get a 429 beyond its allowance", async () => {
    const from = (address: string, authorization = "Bearer none") =>
      sendRaw(server.stranger(), "GET", "/v1/projects", {
        headers: ["X-Forwarded-For", address, "Authorization", authorization],
      });
    for (let left = 29; left >= 0; left -= 1) {
      const { status, headers } = await from("192.0.2.7", left % 2 ? "Bearer none" : "");
      expect([status, headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]).toEqual([
        401,
        "30",
        String(left),
      ]);
    }
    const refused = await from("192.0.2.7");
    expect([refused.status, refused.body.error, refused.headers["x-ratelimit-remaining"]]).toEqual([
      429,
      "Too Many Requests",
      "0",
    ]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3_500);
    // Another address has its own allowance. A valid key is not limited by its address.
    expect((await from("192.0.2.8")).status).toBe(401);
    const caller = await server.account();
    expect((await from("192.0.2.7", `Bearer ${caller.key}`)).status).toBe(200);
    // Both servers count together.
    const there = await sendRaw(other.stranger(), "GET", "/v1/projects", { headers: ["X-Forwarded-For", "192.0.2.7"] });
    expect(there.status).toBe(429);
  });

  test("C-RATE-3: IPv6 addresses are counted by /64, and entries that a client adds to X-Forwarded-For are ignored", async () => {
    const remaining = async (forwarded: string) =>
      Number(
        (await sendRaw(server.stranger(), "GET", "/v1/projects", { headers: ["X-Forwarded-For", forwarded] })).headers[
          "x-ratelimit-remaining"
        ],
      );
    expect(await remaining("2001:db8:1:2::1")).toBe(29);
    expect(await remaining("2001:db8:1:2:ffff::9")).toBe(28);
    expect(await remaining("2001:0DB8:0001:0002::abcd")).toBe(27);
    expect(await remaining("2001:db8:1:3::1")).toBe(29);
    expect(await remaining("1.2.3.4, 2001:db8:1:2::5")).toBe(26);
  });
});
