import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { UsageCounter } from "../../src/store/usage-counter.ts";
import { signedIn } from "../harness/browser.ts";
import { Caller } from "../harness/caller.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const hourMs = 3_600_000;
const config = { allowances: { free: 6, pro: 100, team: 1_000 }, addressAllowance: 1_000, trustedProxies: 0 };

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

interface Hour {
  requests: number;
  rateLimited: number;
  errors: number;
}
const sum = (hours: Hour[]) =>
  hours.reduce(
    (all, { requests, rateLimited, errors }) => [
      (all[0] ?? 0) + requests,
      (all[1] ?? 0) + rateLimited,
      (all[2] ?? 0) + errors,
    ],
    [0, 0, 0],
  );

test("C-ACC-4: requests, refusals and errors of all processes are counted by hour, within 15 s", async () => {
  const { browser, accountId } = await signedIn(server, { plan: "free" });
  const { key } = await server.anotherKey({ id: accountId });
  const [here, there] = [server, other].map(({ origin }) => new Caller(origin, { id: accountId, key }));
  await here?.get("/me");
  await there?.get("/me");
  await here?.get("/projects/none");
  await there?.get("/nothing");
  await here?.get("/projects?page=0");
  await here?.get("/me");
  for (let count = 0; count < 3; count += 1) expect((await here?.get("/me"))?.status).toBe(429);
  await browser.get("/keys");
  await vi.waitFor(
    async () => {
      const { hours, window } = (await browser.get("/usage")).body;
      expect(sum(hours)).toEqual([9, 3, 3]);
      expect(window).toMatchObject({ limit: 6, remaining: 0, resetsAt: expect.any(String) });
    },
    { timeout: 15_000, interval: 500 },
  );
});

test("C-ACC-4: hours stand without a gap, for up to 31 days, and another account's are not among them", async () => {
  const { browser, accountId } = await signedIn(server);
  const current = Math.floor(Date.now() / hourMs);
  const counter = new UsageCounter(server.database, "an-earlier-process");
  const clock = vi.spyOn(Date, "now");
  for (const back of [743, 25, 24, 3, 3]) {
    clock.mockReturnValue((current - back) * hourMs + 1);
    counter.count(accountId, 200);
  }
  clock.mockRestore();
  await counter.flush();
  const { hours } = (await browser.get("/usage?hours=744")).body;
  expect(hours).toHaveLength(744);
  const starts = hours.map(({ start }: { start: string }) => new Date(start).getTime() / hourMs);
  expect(starts).toEqual(Array.from({ length: 744 }, (_, index) => current - 743 + index));
  const counted = hours.flatMap((hour: Hour & { start: string }) =>
    hour.requests > 0 ? [[current - new Date(hour.start).getTime() / hourMs, hour.requests]] : [],
  );
  expect(counted).toEqual([
    [743, 1],
    [25, 1],
    [24, 1],
    [3, 2],
  ]);
  expect(sum((await browser.get("/usage")).body.hours)).toEqual([2, 0, 0]);
  const { browser: bob } = await signedIn(server);
  expect(sum((await bob.get("/usage?hours=744")).body.hours)).toEqual([0, 0, 0]);
  const ttl = { key: { day: 1 }, expireAfterSeconds: 32 * 86_400 };
  expect(await server.database.usage.indexes()).toContainEqual(expect.objectContaining(ttl));
});

test("C-ACC-4: counts survive a graceful stop, and a write that failed is not counted twice", async () => {
  const third = await startServer({ config, databaseName: server.databaseName });
  const { browser, accountId } = await signedIn(server);
  const { key } = await server.anotherKey({ id: accountId });
  const caller = new Caller(third.origin, { id: accountId, key });
  for (let count = 0; count < 7; count += 1) await caller.get("/me");
  await third.stop();
  expect(sum((await browser.get("/usage")).body.hours)).toEqual([7, 0, 0]);

  const counter = new UsageCounter(server.database, "unlucky");
  for (let count = 0; count < 5; count += 1) counter.count(accountId, 200);
  const written = server.database.usage.bulkWrite.bind(server.database.usage);
  vi.spyOn(server.database.usage, "bulkWrite").mockImplementationOnce(async (...args) => {
    await written(...(args as Parameters<typeof written>));
    throw new Error("the answer was lost");
  });
  await expect(counter.flush()).rejects.toThrow("lost");
  counter.count(accountId, 500);
  await counter.flush();
  await counter.flush();
  expect(sum((await browser.get("/usage")).body.hours)).toEqual([13, 0, 1]);
});

test("C-ACC-4: a write that arrives after a later one takes nothing away", async () => {
  const { browser, accountId } = await signedIn(server);
  const counter = new UsageCounter(server.database, "overtaken");
  counter.count(accountId, 200);
  const written = server.database.usage.bulkWrite.bind(server.database.usage);
  const later = Promise.withResolvers<void>();
  vi.spyOn(server.database.usage, "bulkWrite").mockImplementationOnce(async (...args) => {
    await later.promise;
    return written(...(args as Parameters<typeof written>));
  });
  const overtaken = counter.flush();
  counter.count(accountId, 500);
  await counter.flush();
  later.resolve();
  await overtaken;
  expect(sum((await browser.get("/usage")).body.hours)).toEqual([2, 0, 1]);
});

test("C-ACC-4: a clock that is set back loses no counts", async () => {
  const { browser, accountId } = await signedIn(server);
  const counter = new UsageCounter(server.database, "set-back");
  counter.count(accountId, 200);
  await counter.flush();
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - hourMs);
  counter.count(accountId, 200);
  clock.mockRestore();
  counter.count(accountId, 200);
  await counter.flush();
  expect(sum((await browser.get("/usage")).body.hours)).toEqual([3, 0, 0]);
});

test("C-ACC-4: many requests are written with few commands", async () => {
  const { accountId } = await signedIn(server);
  const counter = new UsageCounter(server.database, "busy");
  const writes = vi.spyOn(server.database.usage, "bulkWrite");
  for (let count = 0; count < 10_000; count += 1) counter.count(accountId, 200);
  await counter.flush();
  await counter.flush();
  expect(writes).toHaveBeenCalledTimes(1);
  writes.mockRestore();
});
