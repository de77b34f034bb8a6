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

test("a popular read waits to be coalesced while another read runs, but not longer than its limit", async () => {
  const { reads, ask } = manualFlights();
  const keys = () => reads.map((each) => each.keys[0]);
  const slow = ask("slow");
  const first = ask("b");
  await turn();
  // What nobody has just asked for waits for nothing.
  expect(keys()).toEqual(["slow", "b"]);
  reads[1]?.resolve("1");
  expect(await first).toBe("b 1");
  const others = [ask("b"), ask("b")];
  await turn();
  expect(keys()).toEqual(["slow", "b"]);
  await sleep(30);
  expect(keys()).toEqual(["slow", "b", "b"]);
  reads[2]?.resolve("2");
  reads[0]?.resolve("1");
  expect(await Promise.all([slow, ...others])).toEqual(["slow 1", "b 2", "b 2"]);
});

test("a popular read starts as soon as no other read is running", async () => {
  const { reads, ask } = manualFlights();
  const slow = ask("slow");
  const first = ask("b");
  reads[1]?.resolve("1");
  await first;
  const again = ask("b");
  reads[0]?.resolve("1");
  await slow;
  await turn();
  expect(reads.length).toBe(3);
  reads[2]?.resolve("2");
  expect(await again).toBe("b 2");
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

function manualFlights() {
  const { reads, read } = manualReads();
  const singleflight = new Singleflight();
  const ask = (key: string) => singleflight.read(key, async () => (await read([key])).get(key));
  return { reads, ask, singleflight };
}
