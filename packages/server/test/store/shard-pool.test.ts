import { expect, test } from "vitest";
import { ShardPool } from "../../src/store/shard-pool.ts";

const inOrder = () => 0.5;

test("each transaction has its own shard, and one more waits until a shard is released", async () => {
  const pool = new ShardPool(2);
  const shards = [await pool.take(), await pool.take()];
  expect(shards.toSorted()).toEqual([0, 1]);
  let third: number | undefined;
  const waiting = pool.take().then((shard) => {
    third = shard;
  });
  await Promise.resolve();
  expect(third).toBeUndefined();
  pool.release(1, false);
  await waiting;
  expect(third).toBe(1);
});

test("waiting transactions get shards in the order in which they came", async () => {
  const pool = new ShardPool(1);
  const shard = await pool.take();
  const served: string[] = [];
  const waiting = ["a", "b"].map((name) =>
    pool.take().then((lent) => {
      served.push(name);
      pool.release(lent, false);
    }),
  );
  pool.release(shard, false);
  await Promise.all(waiting);
  expect(served).toEqual(["a", "b"]);
});

test("a released shard is used again first, and one that conflicted last", async () => {
  const pool = new ShardPool(3, inOrder);
  const first = await pool.take();
  pool.release(first, false);
  expect(await pool.take()).toBe(first);
  pool.release(first, true);
  const others = [await pool.take(), await pool.take()];
  expect(others).not.toContain(first);
  expect(await pool.take()).toBe(first);
});
