import { expect, test } from "vitest";
import { KeyedMutex } from "../../src/store/keyed-mutex.ts";

test("work of one key runs in order, one at a time, and concurrently with work of another key", async () => {
  const mutex = new KeyedMutex();
  const log: string[] = [];
  const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  const run = (key: string, name: string, until: Promise<void>) =>
    mutex.runExclusive(key, "acc", async () => {
      log.push(`${name} starts`);
      await until;
      log.push(`${name} ends`);
      return name;
    });
  const results = [
    run("one", "first", gates.a.promise),
    run("one", "second", Promise.resolve()),
    run("two", "beside", gates.b.promise),
  ];
  gates.b.resolve();
  expect(await results[2]).toBe("beside");
  expect(log).toEqual(["first starts", "beside starts", "beside ends"]);
  gates.a.resolve();
  expect(await Promise.all(results)).toEqual(["first", "second", "beside"]);
  expect(log.slice(3)).toEqual(["first ends", "second starts", "second ends"]);
});

test("the next work runs after one that fails", async () => {
  const mutex = new KeyedMutex();
  const failed = mutex.runExclusive("one", "acc", async () => Promise.reject(new Error("a mistake")));
  const next = mutex.runExclusive("one", "acc", async () => "done");
  await expect(failed).rejects.toThrow("a mistake");
  expect(await next).toBe("done");
});

test("a key without work uses no memory", async () => {
  const mutex = new KeyedMutex();
  const work = [mutex.runExclusive("one", "acc", async () => 1), mutex.runExclusive("one", "acc", async () => 2)];
  expect(mutex.size).toBe(1);
  await Promise.all(work);
  expect(mutex.size).toBe(0);
});

test("accounts that wait for one key take turns, so that much work of one does not delay another", async () => {
  const mutex = new KeyedMutex();
  const log: string[] = [];
  const work = (account: string, name: string) =>
    mutex.runExclusive("one", account, async () => {
      await Promise.resolve();
      log.push(name);
    });
  await Promise.all([
    ...Array.from({ length: 1_500 }, (_, n) => work("tester", `post ${n}`)),
    work("owner", "patch 0"),
    work("owner", "patch 1"),
    work("another", "post"),
  ]);
  expect(log.slice(0, 8)).toEqual([
    ...["post 0", "post 1", "patch 0", "post", "post 2", "patch 1", "post 3", "post 4"],
  ]);
  expect(log).toHaveLength(1_503);
  expect(mutex.size).toBe(0);
});
