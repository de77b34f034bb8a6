import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import type { RateLimitResult } from "../../src/allowances/allowance.ts";
import { type Instance, startInstances } from "../harness/instances.ts";

const opened: Instance[] = [];
afterAll(() => Promise.all(opened.map(({ database }) => database.client.close())));

async function instances(number: number, windowMs?: number): Promise<Instance[]> {
  const started = await startInstances(number, windowMs);
  opened.push(...started);
  return started;
}

/** Sends a number of concurrent requests to each instance. */
function burst(all: readonly Instance[], subject: string, limit: number, requests: number): Promise<RateLimitResult[]> {
  return Promise.all(all.flatMap((instance) => Array.from({ length: requests }, () => instance.spend(subject, limit))));
}

/** Runs a number of sequential clients on each instance, each until it is refused twice in a row. */
async function spendAll(
  all: readonly Instance[],
  subject: string,
  limit: number,
  clients: number,
): Promise<RateLimitResult[]> {
  const results: RateLimitResult[] = [];
  const client = async (instance: Instance) => {
    for (let refusals = 0; refusals < 2; ) {
      const result = await instance.spend(subject, limit);
      refusals = result.admitted ? 0 : refusals + 1;
      results.push(result);
    }
  };
  await Promise.all(all.flatMap((instance) => Array.from({ length: clients }, () => client(instance))));
  return results;
}

const admitted = (results: readonly RateLimitResult[]) => results.filter((result) => result.admitted).length;
const newSubject = () => `acc_${randomUUID()}`;

describe.each([2, 3])("C-RATE-1: %i processes that share an allowance", (processes) => {
  test.each([1, 7, 100, 1_000])("admit exactly %i", async (limit) => {
    const all = await instances(processes);
    const sequential = newSubject();
    expect(admitted(await spendAll(all, sequential, limit, 8))).toBe(limit);
    expect(admitted(await burst(all, sequential, limit, 20))).toBe(0);
    const concurrent = newSubject();
    expect(admitted(await burst(all, concurrent, limit, limit + 5))).toBe(limit);
    expect(admitted(await burst(all, concurrent, limit, 20))).toBe(0);
    expect(all.flatMap(({ errors }) => errors)).toEqual([]);
  });
});

describe("C-RATE-1: the whole allowance can be used", () => {
  test.each([7, 100, 1_000])("when one process holds a part of %i and becomes idle", async (limit) => {
    const [one, other] = (await instances(2)) as [Instance, Instance];
    for (const share of [0.05, 0.3, 0.9]) {
      const subject = newSubject();
      const first = Math.ceil(limit * share);
      for (let request = 0; request < first; request += 1) await one.spend(subject, limit);
      let rest = 0;
      // Sequential requests: the first refusal must not come before the limit.
      while ((await other.spend(subject, limit)).admitted) rest += 1;
      expect(first + rest).toBe(limit);
      expect((await one.spend(subject, limit)).admitted).toBe(false);
    }
  });

  test("when processes take turns", async () => {
    const all = await instances(3);
    const subject = newSubject();
    const results: RateLimitResult[] = [];
    for (let turn = 0; turn < 160; turn += 1) {
      results.push(await (all[turn % 3] as Instance).spend(subject, 100));
    }
    expect(results.slice(0, 100).every((result) => result.admitted)).toBe(true);
    expect(admitted(results)).toBe(100);
  });

  test("when requests come in bursts, alternating between processes", async () => {
    const all = await instances(2);
    const subject = newSubject();
    let sum = 0;
    for (let round = 0; round < 40; round += 1) {
      sum += admitted(await burst([all[round % 2] as Instance], subject, 1_000, 1 + ((round * 37) % 90)));
    }
    expect(sum).toBe(1_000);
  });

  test("when a process is stopped in the middle", async () => {
    const [one, other] = (await instances(2)) as [Instance, Instance];
    const subject = newSubject();
    for (let request = 0; request < 300; request += 1) await one.spend(subject, 1_000);
    await one.close();
    let rest = 0;
    while ((await other.spend(subject, 1_000)).admitted) rest += 1;
    expect(rest).toBe(700);
  });

  test("when a process is recalled while it is busy", async () => {
    const [one, other] = (await instances(2)) as [Instance, Instance];
    for (let round = 0; round < 5; round += 1) {
      const subject = newSubject();
      for (let request = 0; request < 60; request += 1) await one.spend(subject, 100);
      const rest = await Promise.all([burst([other], subject, 100, 60), spendAll([one], subject, 100, 3)]);
      expect(60 + admitted(rest.flat())).toBe(100);
    }
  });
});

test("C-RATE-1: a killed process loses at most its lease, and the limit is not exceeded", async () => {
  const [one, other] = (await instances(2)) as [Instance, Instance];
  const subject = newSubject();
  let sum = 0;
  for (let request = 0; request < 300; request += 1) sum += Number((await one.spend(subject, 1_000)).admitted);
  await one.crash();
  sum += admitted(await spendAll([other], subject, 1_000, 4));
  expect(sum).toBeLessThanOrEqual(1_000);
  // A lease is at most a sixteenth of what is left.
  expect(sum).toBeGreaterThan(1_000 - 1_000 / 16);
});

test("C-RATE-1: a killed process is recognized within seconds; then no refusal takes 2 s", async () => {
  const [one, other] = (await instances(2)) as [Instance, Instance];
  const subject = newSubject();
  for (let request = 0; request < 300; request += 1) await one.spend(subject, 1_000);
  await one.crash();
  const killed = performance.now();
  await spendAll([other], subject, 1_000, 4);
  await sleep(5_000 - (performance.now() - killed));
  let slowestMs = 0;
  while (performance.now() - killed < 8_000) {
    const began = performance.now();
    expect((await other.spend(subject, 1_000)).admitted).toBe(false);
    slowestMs = Math.max(slowestMs, performance.now() - began);
    await sleep(20);
  }
  expect(slowestMs).toBeLessThan(1_000);
}, 20_000);

test("C-RATE-1: what a living process holds is used by others, also long after its last request", async () => {
  const [one, other] = (await instances(2)) as [Instance, Instance];
  const subject = newSubject();
  for (let request = 0; request < 300; request += 1) await one.spend(subject, 1_000);
  await sleep(4_000);
  expect(300 + admitted(await spendAll([other], subject, 1_000, 4))).toBe(1_000);
}, 20_000);

test("S-RATE-3: Remaining decreases by one with each request of a process, down to 0", async () => {
  const [one] = (await instances(1)) as [Instance];
  const subject = newSubject();
  const results: RateLimitResult[] = [];
  for (let request = 0; request < 210; request += 1) results.push(await one.spend(subject, 200));
  const expected = Array.from({ length: 210 }, (_, request) => Math.max(0, 199 - request));
  expect(results.map(({ remaining }) => remaining)).toEqual(expected);
  expect(new Set(results.map(({ reset }) => reset)).size).toBe(1);

  const together = await burst([one], newSubject(), 200, 230);
  const remaining = together.filter((result) => result.admitted).map((result) => result.remaining);
  expect(remaining.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 200 }, (_, request) => 199 - request));
  expect(Math.min(...together.map((result) => result.remaining))).toBe(0);
});

test("S-RATE-3: with several processes, Remaining is never below 0 and never above the number left", async () => {
  const all = await instances(2);
  const results = await spendAll(all, newSubject(), 100, 5);
  for (const { remaining } of results) {
    expect(remaining).toBeGreaterThanOrEqual(0);
    expect(remaining).toBeLessThan(100);
  }
});

test("C-RATE-1: each new window has the full allowance, and no window exceeds its limit", async () => {
  const windowMs = 1_500;
  const all = await instances(2, windowMs);
  const subject = newSubject();
  const limit = 60;
  const spent: { sent: number; answered: number; reset: number }[] = [];
  const until = Date.now() + 4 * windowMs + 700;
  const client = async (instance: Instance, pause: number) => {
    while (Date.now() < until) {
      const sent = Date.now();
      const result = await instance.spend(subject, limit);
      if (result.admitted) spent.push({ sent, answered: Date.now(), reset: result.reset });
      await sleep(pause);
    }
  };
  await Promise.all(all.flatMap((instance) => [client(instance, 1), client(instance, 7), client(instance, 20)]));
  const windows = Map.groupBy(spent, ({ reset }) => reset);
  // The last window may have been cut short.
  const last = Math.max(...windows.keys());
  for (const [reset, requests] of windows) {
    if (reset === last) expect(requests.length).toBeLessThanOrEqual(limit);
    else expect(requests.length).toBe(limit);
    for (const { sent, answered } of requests) {
      expect(sent).toBeLessThanOrEqual(reset * 1_000);
      expect(answered).toBeGreaterThanOrEqual((reset - 1) * 1_000 - windowMs);
    }
  }
  expect(windows.size).toBeGreaterThanOrEqual(4);
  expect(windows.size).toBeLessThanOrEqual(5);
});

test("C-RATE-1: a lease is not spent after the end of its window", async () => {
  const windowMs = 1_000;
  const [one, other] = (await instances(2, windowMs)) as [Instance, Instance];
  const subject = newSubject();
  for (let request = 0; request < 100; request += 1) await one.spend(subject, 1_000);
  await sleep(windowMs + 50);
  const began = performance.now();
  const first = await one.spend(subject, 1_000);
  expect(first).toMatchObject({ admitted: true, remaining: 999 });
  expect(1 + admitted(await burst([one, other], subject, 1_000, 700))).toBe(1_000);
  expect(performance.now() - began).toBeLessThan(windowMs);
});

describe("C-KEY-2: a change of plan", () => {
  test("to a higher limit admits exactly the difference at once", async () => {
    const all = await instances(2);
    const subject = newSubject();
    expect(admitted(await spendAll(all, subject, 100, 4))).toBe(100);
    expect(admitted(await spendAll(all, subject, 1_000, 4))).toBe(900);
  });

  test("to a lower limit keeps the number of used requests", async () => {
    const [one, other] = (await instances(2)) as [Instance, Instance];
    const subject = newSubject();
    for (let request = 0; request < 60; request += 1) await one.spend(subject, 1_000);
    let rest = 0;
    for (let result = await one.spend(subject, 100); result.admitted; result = await other.spend(subject, 100)) {
      rest += 1;
    }
    expect(rest).toBe(40);
    expect(await one.spend(subject, 7)).toMatchObject({ admitted: false, limit: 7, remaining: 0 });
  });

  test("while requests under the old limit are running admits exactly the new limit", async () => {
    const all = await instances(2);
    const subject = newSubject();
    const results = await Promise.all([spendAll(all, subject, 100, 3), spendAll(all, subject, 1_000, 3)]);
    expect(admitted(results.flat())).toBe(1_000);
  });
});

test("C-RATE-1: a busy process needs far fewer writes than requests", async () => {
  const [one] = (await instances(1)) as [Instance];
  const writes = () => one.commands.filter((name) => name === "findAndModify" || name === "update").length;
  const subject = newSubject();
  for (let request = 0; request < 10_000; request += 1) await one.spend(subject, 10_000);
  expect((await one.spend(subject, 10_000)).admitted).toBe(false);
  const forTeam = writes();
  expect(forTeam).toBeLessThan(200);
  // Refusals need no write once nothing is left.
  for (let request = 0; request < 1_000; request += 1) await one.spend(subject, 10_000);
  expect(writes()).toBe(forTeam);
});
