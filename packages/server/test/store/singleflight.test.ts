import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Singleflight } from "../../src/store/singleflight.ts";
import { manualReads } from "../harness/manual-reads.ts";

test("who asks for what is being read already shares the next read with all who come meanwhile", async () => {
  const { under, ask } = manualFlights();
  const first = ask("a");
  await turn();
  const [second, third] = [ask("a"), ask("a")];
  await turn();
  expect(under.length).toBe(1);
  under[0]?.end("old");
  expect(await first).toBe("a old");
  await turn();
  expect(under.length).toBe(2);
  const fourth = ask("a");
  under[1]?.end("new");
  expect(await Promise.all([second, third])).toEqual(["a new", "a new"]);
  await turn();
  under[2]?.end("newest");
  expect(await fourth).toBe("a newest");
  expect(under.length).toBe(3);
});

test("a popular read waits for company while another is under way, and begins in the end although it still is", async () => {
  const { under, ask } = manualFlights();
  const keys = () => under.map((each) => each.keys[0]);
  const slow = ask("slow");
  const first = ask("b");
  await turn();
  // What nobody has just asked for waits for nothing.
  expect(keys()).toEqual(["slow", "b"]);
  under[1]?.end("1");
  expect(await first).toBe("b 1");
  const others = [ask("b"), ask("b")];
  await turn();
  expect(keys()).toEqual(["slow", "b"]);
  await sleep(30);
  expect(keys()).toEqual(["slow", "b", "b"]);
  under[2]?.end("2");
  under[0]?.end("1");
  expect(await Promise.all([slow, ...others])).toEqual(["slow 1", "b 2", "b 2"]);
});

test("a popular read does not wait longer than for what is under way", async () => {
  const { under, ask } = manualFlights();
  const slow = ask("slow");
  const first = ask("b");
  under[1]?.end("1");
  await first;
  const again = ask("b");
  under[0]?.end("1");
  await slow;
  await turn();
  expect(under.length).toBe(3);
  under[2]?.end("2");
  expect(await again).toBe("b 2");
});

test("a shared read that fails, even at once, fails for those who share it, and the next one goes on", async () => {
  const { under, ask, singleflight } = manualFlights();
  const failed = Promise.allSettled([ask("a")]);
  const next = Promise.allSettled([ask("a"), ask("a")]);
  under[0]?.fail(new Error("away"));
  expect((await failed).map(({ status }) => status)).toEqual(["rejected"]);
  await turn();
  under[1]?.end("1");
  expect((await next).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  const thrown = singleflight.read("b", () => {
    throw new Error("a mistake");
  });
  await expect(thrown).rejects.toThrow("a mistake");
});

function manualFlights() {
  const { under, read } = manualReads();
  const singleflight = new Singleflight();
  const ask = (key: string) => singleflight.read(key, async () => (await read([key])).get(key));
  return { under, ask, singleflight };
}
