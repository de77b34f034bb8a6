import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
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
  const find = gather(read, 100);
  const found = Promise.all(["a", "b", "a"].map(find));
  await turn();
  expect(under.map(({ keys }) => keys)).toEqual([["a", "b"]]);
  under[0]?.end("1");
  expect(await found).toEqual(["a 1", "b 1", "a 1"]);
});

test("a read that is under way takes nobody along: who comes meanwhile goes with the next", async () => {
  const { under, read } = readsByHand();
  const find = gather(read, 100);
  const first = find("a");
  await turn();
  const second = find("a");
  await turn();
  const third = find("b");
  await turn();
  expect(under.length).toBe(1);
  under[0]?.end("old");
  expect(await first).toBe("a old");
  expect(under[1]?.keys).toEqual(["a", "b"]);
  under[1]?.end("new");
  expect(await Promise.all([second, third])).toEqual(["a new", "b new"]);
});

test("a command that does not come back holds up the others for a moment only", async () => {
  const { under, read } = readsByHand();
  const find = gather(read, 100);
  const lost = find("a");
  await turn();
  const next = find("b");
  await sleep(300);
  expect(under.map(({ keys }) => keys)).toEqual([["a"], ["b"]]);
  under[1]?.end("1");
  expect(await next).toBe("b 1");
  under[0]?.end("late");
  expect(await lost).toBe("a late");
  const after = find("c");
  await turn();
  under[2]?.end("1");
  expect(await after).toBe("c 1");
});

test("more keys than one command may ask for go with as many commands as they need", async () => {
  const { under, read } = readsByHand();
  const find = gather(read, 2);
  const first = find("z");
  await turn();
  const found = Promise.all(["a", "b", "c", "d", "e"].map(find));
  await turn();
  under[0]?.end("0");
  expect(await first).toBe("z 0");
  for (const place of [1, 2, 3]) {
    await turn();
    under[place]?.end(String(place));
  }
  expect(await found).toEqual(["a 1", "b 1", "c 2", "d 2", "e 3"]);
});

test("a key without a value is undefined; a read that fails fails for those who asked, and the next one goes on", async () => {
  const { under, read } = readsByHand();
  const find = gather(async (keys) => new Map([...(await read(keys))].filter(([key]) => key !== "gone")), 100);
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
  const { under, ask } = sharedByHand();
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
  const { under, ask } = sharedByHand();
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
  const { under, ask } = sharedByHand();
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
  const { under, ask, sharing } = sharedByHand();
  const failed = Promise.allSettled([ask("a")]);
  const next = Promise.allSettled([ask("a"), ask("a")]);
  under[0]?.fail(new Error("away"));
  expect((await failed).map(({ status }) => status)).toEqual(["rejected"]);
  await turn();
  under[1]?.end("1");
  expect((await next).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  const thrown = sharing.read("b", () => {
    throw new Error("a mistake");
  });
  await expect(thrown).rejects.toThrow("a mistake");
});

function sharedByHand() {
  const { under, read } = readsByHand();
  const sharing = new Sharing();
  const ask = (key: string) => sharing.read(key, async () => (await read([key])).get(key));
  return { under, ask, sharing };
}
