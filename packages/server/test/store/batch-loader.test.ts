import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { batchLoader } from "../../src/store/batch-loader.ts";
import { manualReads } from "../harness/manual-reads.ts";

test("keys that are asked for in one turn of the event loop are one read of distinct keys", async () => {
  const { reads, read } = manualReads();
  const find = batchLoader(read, 100);
  const found = Promise.all(["a", "b", "a"].map(find));
  await turn();
  expect(reads.map(({ keys }) => keys)).toEqual([["a", "b"]]);
  reads[0]?.resolve("1");
  expect(await found).toEqual(["a 1", "b 1", "a 1"]);
});

test("keys that are asked for during a read go with the next read", async () => {
  const { reads, read } = manualReads();
  const find = batchLoader(read, 100);
  const first = find("a");
  await turn();
  const second = find("a");
  await turn();
  const third = find("b");
  await turn();
  expect(reads.length).toBe(1);
  reads[0]?.resolve("old");
  expect(await first).toBe("a old");
  expect(reads[1]?.keys).toEqual(["a", "b"]);
  reads[1]?.resolve("new");
  expect(await Promise.all([second, third])).toEqual(["a new", "b new"]);
});

test("a command without a response delays the next one only briefly", async () => {
  const { reads, read } = manualReads();
  const find = batchLoader(read, 100);
  const lost = find("a");
  await turn();
  const next = find("b");
  await sleep(300);
  expect(reads.map(({ keys }) => keys)).toEqual([["a"], ["b"]]);
  reads[1]?.resolve("1");
  expect(await next).toBe("b 1");
  reads[0]?.resolve("late");
  expect(await lost).toBe("a late");
  const after = find("c");
  await turn();
  reads[2]?.resolve("1");
  expect(await after).toBe("c 1");
});

test("more keys than one command may have are read with several commands", async () => {
  const { reads, read } = manualReads();
  const find = batchLoader(read, 2);
  const first = find("z");
  await turn();
  const found = Promise.all(["a", "b", "c", "d", "e"].map(find));
  await turn();
  reads[0]?.resolve("0");
  expect(await first).toBe("z 0");
  for (const place of [1, 2, 3]) {
    await turn();
    reads[place]?.resolve(String(place));
  }
  expect(await found).toEqual(["a 1", "b 1", "c 2", "d 2", "e 3"]);
});

test("a missing key is undefined; a failed read fails for all its keys, and the next read runs", async () => {
  const { reads, read } = manualReads();
  const find = batchLoader(async (keys) => new Map([...(await read(keys))].filter(([key]) => key !== "gone")), 100);
  const failed = Promise.allSettled([find("a"), find("gone")]);
  await turn();
  const found = find("gone");
  await turn();
  reads[0]?.reject(new Error("away"));
  expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  reads[1]?.resolve("1");
  expect(await found).toBeUndefined();
});
