import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { gather, Sharing } from "../../src/store/gather.ts";

/** Reads that end when they are told to. */
function readsByHand() {
  const under: { keys: readonly string[]; end(value: string): void; fail(error: Error): void }[] = [];
  const read = (keys: readonly string[]) =>
    new Promise<ReadonlyMap<string, string>>((resolve, reject) =>
      under.push({
        keys,
        end: (value) => resolve(new Map(keys.map((key) => [key, `${key} ${value}`]))),
        fail: reject,
      }),
    );
  return { under, read };
}

test("what is asked for in one turn of the event loop is one read, of distinct keys", async () => {
  const { under, read } = readsByHand();
  const find = gather(read);
  const found = Promise.all(["a", "b", "a"].map(find));
  await turn();
  expect(under.map(({ keys }) => keys)).toEqual([["a", "b"]]);
  under[0]?.end("1");
  expect(await found).toEqual(["a 1", "b 1", "a 1"]);
});

test("a read that is under way takes nobody along, and with two of them the third waits for all that come", async () => {
  const { under, read } = readsByHand();
  const find = gather(read);
  const first = find("a");
  await turn();
  const second = find("a");
  await turn();
  const third = find("a");
  await turn();
  const fourth = find("b");
  await turn();
  expect(under.length).toBe(2);
  under[0]?.end("old");
  expect(await first).toBe("a old");
  under[1]?.end("newer");
  expect(await second).toBe("a newer");
  expect(under[2]?.keys).toEqual(["a", "b"]);
  under[2]?.end("newest");
  expect(await Promise.all([third, fourth])).toEqual(["a newest", "b newest"]);
});

test("a key without a value is undefined; a read that fails fails for those who asked, and the next one goes on", async () => {
  const { under, read } = readsByHand();
  const find = gather(async (keys) => new Map([...(await read(keys))].filter(([key]) => key !== "gone")));
  const failed = Promise.allSettled([find("a"), find("gone")]);
  await turn();
  const found = find("gone");
  await turn();
  under[0]?.fail(new Error("away"));
  expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  under[1]?.end("1");
  expect(await found).toBeUndefined();
});

test("who asks for what is being read already shares the next read with all who come meanwhile", async () => {
  const { under, read } = readsByHand();
  const sharing = new Sharing();
  const ask = (key: string) => sharing.read(key, async () => (await read([key])).get(key));
  const first = ask("a");
  const [second, third] = [ask("a"), ask("a")];
  const other = ask("b");
  expect(under.map(({ keys }) => keys)).toEqual([["a"], ["b"]]);
  under[0]?.end("old");
  expect(await first).toBe("a old");
  await turn();
  expect(under.length).toBe(3);
  const fourth = ask("a");
  under[2]?.end("new");
  expect(await Promise.all([second, third])).toEqual(["a new", "a new"]);
  await turn();
  under[3]?.end("newest");
  under[1]?.end("1");
  expect(await Promise.all([fourth, other])).toEqual(["a newest", "b 1"]);
  await turn();
  void ask("a");
  expect(under.length).toBe(5);
});

test("a read that fails fails for those who share it alone", async () => {
  const { under, read } = readsByHand();
  const sharing = new Sharing();
  const ask = () => sharing.read("a", async () => (await read(["a"])).get("a"));
  const outcomes = Promise.allSettled([ask(), ask(), ask()]);
  under[0]?.fail(new Error("away"));
  await turn();
  under[1]?.end("1");
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
});
