import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Singleflight } from "../../src/store/singleflight.ts";
import { manualReads } from "../harness/manual-reads.ts";

test("requests during a read share the next read", async () => {
  const { reads, ask } = manualFlights();
  const first = ask("a");
  await turn();
  const [second, third] = [ask("a"), ask("a")];
  await turn();
  expect(reads.length).toBe(1);
  reads[0]?.resolve("old");
  expect(await first).toBe("a old");
  await turn();
  expect(reads.length).toBe(2);
  const fourth = ask("a");
  reads[1]?.resolve("new");
  expect(await Promise.all([second, third])).toEqual(["a new", "a new"]);
  await turn();
  reads[2]?.resolve("newest");
  expect(await fourth).toBe("a newest");
  expect(reads.length).toBe(3);
});

test("reads of other keys run side by side, up to the limit; one more starts as soon as one ends", async () => {
  const { reads, ask } = manualFlights(2);
  const keys = () => reads.map((each) => each.keys[0]);
  const [a, b, c] = [ask("a"), ask("b"), ask("c")];
  expect(keys()).toEqual(["a", "b"]);
  const more = ask("c");
  reads[1]?.resolve("1");
  expect(await b).toBe("b 1");
  await turn();
  expect(keys()).toEqual(["a", "b", "c"]);
  reads[2]?.resolve("1");
  reads[0]?.resolve("1");
  expect(await Promise.all([a, c, more])).toEqual(["a 1", "c 1", "c 1"]);
});

test("a read that waits behind its own key lets another key start", async () => {
  const { reads, ask } = manualFlights(2);
  const first = ask("a");
  const second = ask("a");
  const other = ask("b");
  expect(reads.map((each) => each.keys[0])).toEqual(["a", "b"]);
  reads[1]?.resolve("1");
  expect(await other).toBe("b 1");
  reads[0]?.resolve("1");
  expect(await first).toBe("a 1");
  await turn();
  reads[2]?.resolve("2");
  expect(await second).toBe("a 2");
});

test("a slow read delays those of other keys for a moment only", async () => {
  const { reads, ask } = manualFlights(1);
  const slow = ask("slow");
  const other = ask("b");
  await sleep(300);
  reads[1]?.resolve("1");
  expect(await other).toBe("b 1");
  await turn();
  const third = ask("c");
  reads[2]?.resolve("1");
  expect(await third).toBe("c 1");
  reads[0]?.resolve("late");
  expect(await slow).toBe("slow late");
});

test("a shared read that fails, even synchronously, fails for all who share it, and the next read runs", async () => {
  const { reads, ask, singleflight } = manualFlights();
  const failed = Promise.allSettled([ask("a")]);
  const next = Promise.allSettled([ask("a"), ask("a")]);
  reads[0]?.reject(new Error("away"));
  expect((await failed).map(({ status }) => status)).toEqual(["rejected"]);
  await turn();
  reads[1]?.resolve("1");
  expect((await next).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  const thrown = singleflight.read("b", () => {
    throw new Error("a mistake");
  });
  await expect(thrown).rejects.toThrow("a mistake");
});

function manualFlights(maxRunning = 8) {
  const { reads, read } = manualReads();
  const singleflight = new Singleflight(maxRunning);
  const ask = (key: string) => singleflight.read(key, async () => (await read([key])).get(key));
  return { reads, ask, singleflight };
}
