import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { MongoServerError } from "mongodb";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { Deadline } from "../../src/deadline.ts";
import { notFound } from "../../src/domain/errors.ts";
import { connect, type Database } from "../../src/store/database.ts";
import { makeIndexes } from "../../src/store/indexes.ts";
import { toDocument } from "../../src/store/project-repository.ts";
import { tallyShards } from "../../src/store/project-tallies.ts";
import type { Repositories } from "../../src/store/repositories.ts";
import { Store } from "../../src/store/store.ts";
import { WriteConflictError } from "../../src/store/write-conflict-error.ts";
import { randomFrom, realisticProject } from "../harness/realistic-data.ts";
import { uriOf } from "../harness/server.ts";

let database: Database;
let store: Store;
beforeAll(async () => {
  database = await connect(uriOf(`test_transactions_${process.pid}`));
  await makeIndexes(database);
  store = new Store(database);
});
afterAll(async () => {
  await database.db.dropDatabase();
  await database.client.close();
});

const random = randomFrom(1);
let made = 0;
const project = () =>
  ({ ...realisticProject(made++, random, ["acc_a"]), status: "active", wasActive: true, isPublic: true }) as const;
const within = (milliseconds = 4_000) => ({ deadline: new Deadline(milliseconds) });
const insert = (what: ReturnType<typeof project>) => async (repositories: Repositories) =>
  repositories.projects.insert(what);
const countStored = async (ids: readonly string[]) => database.projects.countDocuments({ _id: { $in: [...ids] } });

test("requests that arrive together share one transaction, and each gets its own result", async () => {
  const projects = Array.from({ length: 20 }, project);
  // Each transaction has its own session. The database's own counter would include the transactions of other tests.
  const sessions = vi.spyOn(database.client, "startSession");
  const results = await Promise.all(
    projects.map((each, place) =>
      store.transaction(async (repositories) => {
        repositories.projects.insert(each);
        return place;
      }, within()),
    ),
  );
  expect(sessions).toHaveBeenCalledTimes(1);
  sessions.mockRestore();
  expect(results).toEqual(projects.map((_, place) => place));
  expect(await countStored(projects.map(({ id }) => id))).toBe(20);
});

test("requests that arrive while a group works form the next group, which starts when the first one commits", async () => {
  const order: string[] = [];
  const record = (word: string) => async () => void order.push(word);
  const startSession = database.client.startSession.bind(database.client);
  const sessions = vi.spyOn(database.client, "startSession").mockImplementation(() => {
    const session = startSession();
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = async () => {
      order.push("commit");
      await sleep(100);
      await commit();
      order.push("committed");
    };
    return session;
  });
  onTestFinished(() => sessions.mockRestore());
  const first = store.transaction(() => sleep(50), within());
  await sleep(10);
  await Promise.all([first, ...["b", "c"].map((word) => store.transaction(record(word), within()))]);
  expect(sessions).toHaveBeenCalledTimes(2);
  expect(order).toEqual(["commit", "b", "c", "commit", "committed", "committed"]);
});

test("a commit that fails temporarily is retried concurrently with the next group, and each write is kept once", async () => {
  let failures = 1;
  const startSession = database.client.startSession.bind(database.client);
  const sessions = vi.spyOn(database.client, "startSession").mockImplementation(() => {
    const session = startSession();
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = async () => {
      if (failures === 0) return commit();
      failures -= 1;
      await session.abortTransaction();
      const error = new MongoServerError({ message: "a primary that steps down" });
      error.addErrorLabel("TransientTransactionError");
      throw error;
    };
    return session;
  });
  onTestFinished(() => sessions.mockRestore());
  const projects = [project(), project()] as const;
  const first = store.transaction(insert(projects[0]), within());
  await nextTurn();
  await Promise.all([first, store.transaction(insert(projects[1]), within())]);
  expect(failures).toBe(0);
  expect(sessions).toHaveBeenCalledTimes(2);
  expect(await countStored(projects.map(({ id }) => id))).toBe(2);
});

test("work that does not finish delays the others only briefly", async () => {
  const stuck = Promise.withResolvers<string>();
  const waiting = store.transaction(() => stuck.promise, within());
  await sleep(10);
  const began = performance.now();
  await store.transaction(insert(project()), within());
  expect(performance.now() - began).toBeLessThan(1_000);
  stuck.resolve("late");
  expect(await waiting).toBe("late");
});

test("a refusal rolls back only the writes of its own work", async () => {
  const [good, bad] = [project(), project()];
  const refused = async (repositories: Repositories) => {
    repositories.projects.insert(bad);
    throw notFound("project");
  };
  const outcomes = await Promise.allSettled([
    store.transaction(insert(good), within()),
    store.transaction(refused, within()),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(outcomes[1]).toMatchObject({ reason: { code: "project_not_found" } });
  expect([await countStored([good.id]), await countStored([bad.id])]).toEqual([1, 0]);
});

test("work that fails, in its own code or in the database, does not fail the others", async () => {
  const [good, broken, twice] = [project(), project(), project()];
  await database.projects.insertOne(toDocument(twice));
  const outcomes = await Promise.allSettled([
    store.transaction(insert(good), within()),
    store.transaction(async (repositories) => {
      repositories.projects.insert(broken);
      throw new TypeError("a mistake");
    }, within()),
    // The id already exists: the database rejects it.
    store.transaction(insert(twice), within()),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(outcomes[1]).toMatchObject({ reason: { message: "a mistake" } });
  expect(outcomes[2]).toMatchObject({ reason: { code: 11_000 } });
  expect(await countStored([good.id, broken.id])).toBe(1);
});

test("work whose deadline has passed is not started, and the others continue", async () => {
  const [good, late] = [project(), project()];
  const outcomes = await Promise.allSettled([
    store.transaction(insert(good), within()),
    store.transaction(insert(late), within(-1)),
  ]);
  expect(outcomes[0]?.status).toBe("fulfilled");
  expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(WriteConflictError);
  expect(await countStored([good.id, late.id])).toBe(1);
});

test("work that keeps conflicting delays neither the others of its group nor later ones", async () => {
  const [held, good, later] = [project(), project(), project()];
  await database.projects.insertOne(toDocument(held));
  const session = database.client.startSession();
  session.startTransaction();
  await database.projects.updateOne({ _id: held.id }, { $set: { title: "held" } }, { session });
  const began = performance.now();
  const change = async (repositories: Repositories) =>
    repositories.projects.replace(held, { ...held, title: "changed" });
  const colliding = store.transaction(change, within(1_500));
  const caught = expect(colliding).rejects.toBeInstanceOf(WriteConflictError);
  await store.transaction(insert(good), within());
  await store.transaction(insert(later), within());
  expect(performance.now() - began).toBeLessThan(1_000);
  await caught;
  await session.abortTransaction();
  await session.endSession();
  expect(await countStored([good.id, later.id])).toBe(2);
});

test("while all transactions are in use, waiting work is rejected at its deadline, and the rest continues", async () => {
  const stuck = Promise.withResolvers<void>();
  const alone = { ...within(), alone: true };
  const taken = Array.from({ length: tallyShards }, () => store.transaction(() => stuck.promise, alone));
  await sleep(10);
  const late = store.transaction(insert(project()), within(20));
  await sleep(50);
  const next = store.transaction(insert(project()), within());
  await expect(late).rejects.toBeInstanceOf(WriteConflictError);
  stuck.resolve();
  await Promise.all([...taken, next]);
});

test("outside a transaction nothing can be written", () => {
  expect(() => store.repositories.projects.insert(project())).toThrow("inside a transaction");
});
