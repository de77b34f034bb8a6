import { expect, test } from "vitest";
import { KeyedMutex } from "../../src/store/keyed-mutex.ts";

test("work of one key runs in order, one at a time, and concurrently with work of another key", async () => {
  const mutex = new KeyedMutex();
  const log: string[] = [];
  const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  const run = (key: string, name: string, until: Promise<void>) =>
    mutex.runExclusive(key, async () => {
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
  const failed = mutex.runExclusive("one", async () => Promise.reject(new Error("a mistake")));
  const next = mutex.runExclusive("one", async () => "done");
  await expect(failed).rejects.toThrow("a mistake");
  expect(await next).toBe("done");
});

test("a key without work uses no memory", async () => {
  const mutex = new KeyedMutex();
  const work = [mutex.runExclusive("one", async () => 1), mutex.runExclusive("one", async () => 2)];
  expect(mutex.size).toBe(1);
  await Promise.all(work);
  expect(mutex.size).toBe(0);
});
