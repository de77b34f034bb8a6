import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Difference, repairCounts, verifyCounts } from "../../src/store/counts.ts";
import type { Caller } from "../harness/caller.ts";
import { randomFrom } from "../harness/realistic-data.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const clients = 16;
const statuses = ["draft", "active", "completed", "archived"] as const;
const categories = ["web", "mobile", "desktop", "other"] as const;
const feedbackStatuses = ["draft", "submitted", "approved", "rejected"] as const;

let server: TestServer;
let owners: Caller[];
let testers: Caller[];
beforeAll(async () => {
  server = await startServer();
  owners = [await server.account(), await server.account(), await server.account()];
  testers = [await server.account({ role: "tester" }), await server.account({ role: "tester" })];
});
afterAll(() => server.stop());

/** Runs 16 concurrent clients. Each takes a number of steps on projects and feedback that all clients share. */
async function runClients(steps: number, seed: number): Promise<{ done: number; refused: number }> {
  const projects: { id: string; owner: Caller }[] = [];
  const feedback: { id: string; owner: Caller; author: Caller }[] = [];
  const outcome = { done: 0, refused: 0 };
  const client = async (number: number) => {
    const random = randomFrom(seed + number);
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
    const create = async () => {
      const owner = pick(owners);
      const fields = { category: pick(categories), isPublic: random(4) > 0 };
      const made = await aProject(owner, { ...fields, ...(random(5) === 0 && { status: "draft" }) });
      projects.push({ id: made.id, owner });
      return 201;
    };
    const patch = async () => {
      const { id, owner } = pick(projects);
      const fields = { status: pick(statuses), category: pick(categories), isPublic: random(3) > 0 };
      return (await owner.patch(`/projects/${id}`, fields)).status;
    };
    const remove = async () => {
      const { id, owner } = pick(projects);
      return (await owner.delete(`/projects/${id}`)).status;
    };
    const submit = async () => {
      const { id, owner } = pick(projects);
      const author = pick([...owners, ...testers]);
      const fields = { overallRating: 1 + random(5), status: random(3) === 0 ? "draft" : "submitted" };
      const { status, body } = await author.post(`/projects/${id}/feedback`, fields);
      if (status === 201) feedback.push({ id: body.id, owner, author });
      return status;
    };
    const publish = async () => {
      const { id, author } = pick(feedback);
      return (await author.patch(`/feedback/${id}`, { status: "submitted" })).status;
    };
    const moderate = async () => {
      const { id, owner } = pick(feedback);
      return (await owner.post(`/feedback/${id}/${pick(["approve", "reject"])}`)).status;
    };
    const mark = async () => (await pick(owners).post(`/feedback/${pick(feedback).id}/helpful`)).status;
    for (let step = 0; step < steps; step += 1) {
      const ready = feedback.length > 0;
      const actions = ready
        ? [create, patch, patch, submit, submit, publish, moderate, moderate, mark, mark]
        : [create, submit];
      const action = projects.length === 0 ? create : random(25) === 0 ? remove : pick(actions);
      const status = await action();
      expect([200, 201, 404, 409]).toContain(status);
      if (status < 300) outcome.done += 1;
      else outcome.refused += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return outcome;
}

/** All ids of a list, read page by page, and the total of each page. */
async function readAllPages(caller: Caller, path: string): Promise<{ ids: Set<string>; totals: Set<number> }> {
  const ids = new Set<string>();
  const totals = new Set<number>();
  for (let page = 1; ; page += 1) {
    const { body } = await caller.get(`${path}${path.includes("?") ? "&" : "?"}perPage=100&page=${page}`);
    totals.add(body.pagination.total);
    for (const { id } of body.data) ids.add(id);
    if (body.data.length < 100) return { ids, totals };
  }
}

describe("S-PAGE-1: after concurrent changes of every kind", () => {
  beforeAll(async () => {
    const { done } = await runClients(40, 1);
    expect(done).toBeGreaterThan(clients * 20);
  }, 60_000);

  test("every count is correct", async () => {
    expect(await verifyCounts(server.database)).toEqual([]);
  });

  test("each total of a project list is the number of items on its pages", async () => {
    for (const caller of [...owners, ...testers.slice(0, 1)]) {
      for (const status of [undefined, ...statuses]) {
        for (const category of [undefined, ...categories]) {
          const query = new URLSearchParams({ ...(status && { status }), ...(category && { category }) });
          const { ids, totals } = await readAllPages(caller, `/projects?${query}`);
          expect({ query: `${query}`, totals: [...totals] }).toEqual({ query: `${query}`, totals: [ids.size] });
        }
      }
    }
  });

  test("C-STATS-1: each total of a feedback list is the number of items on its pages, and the project's counts agree", async () => {
    const [busiest = { _id: "" }] = await server.database.feedback
      .aggregate<{ _id: string }>([
        { $sortByCount: "$projectId" },
        { $lookup: { from: "projects", localField: "_id", foreignField: "_id", as: "project" } },
        { $match: { "project.audience": "public" } },
      ])
      .toArray();
    const path = `/projects/${busiest._id}/feedback`;
    for (const caller of [owners[0], testers[0]] as Caller[]) {
      for (const testerId of [undefined, ...owners.map(({ id }) => id), ...testers.map(({ id }) => id), "acc_nobody"]) {
        for (const status of [undefined, ...feedbackStatuses]) {
          const query = new URLSearchParams({ ...(status && { status }), ...(testerId && { testerId }) });
          const { ids, totals } = await readAllPages(caller, `${path}?${query}`);
          expect({ query: `${query}`, totals: [...totals] }).toEqual({ query: `${query}`, totals: [ids.size] });
        }
      }
    }
    const { body } = await (owners[0] as Caller).get(`/projects/${busiest._id}`);
    const past = await server.database.feedback.find({ projectId: busiest._id, status: { $ne: "draft" } }).toArray();
    const approved = past.filter(({ status }) => status === "approved");
    expect(body.stats).toMatchObject({
      feedbackCount: past.length,
      testerRequests: new Set(past.map(({ testerId }) => testerId)).size,
      approvedTesters: new Set(approved.map(({ testerId }) => testerId)).size,
    });
  });
});

describe("a wrong count", () => {
  /** Makes one count of each kind wrong. Returns the expected differences. */
  async function corruptCounts(): Promise<Difference[]> {
    const [owner, tester] = [owners[0], testers[0]] as [Caller, Caller];
    const { id } = await aProject(owner, { category: "desktop" });
    const feedback = await aFeedback(tester, id);
    const { projectTallies, projects, testerTallies, feedback: all } = server.database;
    await projectTallies.updateOne({ _id: "public/3" }, { $inc: { "cells.active:desktop": 5 } }, { upsert: true });
    await projectTallies.updateOne({ _id: "public/3" }, { $set: { audience: "public" } });
    await projects.updateOne({ _id: id }, { $inc: { "counts.submitted": -1, "counts.testerRequests": 2 } });
    await testerTallies.deleteOne({ _id: `${id}/${tester.id}` });
    await all.updateOne({ _id: feedback.id }, { $inc: { helpfulCount: 3 } });
    return [
      { kind: "projects", of: "public/active:desktop", off: { projects: -5 } },
      { kind: "project feedback", of: id, off: { submitted: 1, testerRequests: -2 } },
      { kind: "tester feedback", of: `${id}/${tester.id}`, off: { submitted: 1 } },
      { kind: "helpful marks", of: feedback.id, off: { helpfulCount: -3 } },
    ];
  }

  test("of each kind is found and repaired", async () => {
    const expected = await corruptCounts();
    const found = await verifyCounts(server.database);
    expect(found).toEqual(expected);
    await repairCounts(server.database, found);
    expect(await verifyCounts(server.database)).toEqual([]);
  });

  test("is found and repaired while others write", async () => {
    const expected = await corruptCounts();
    const writers = runClients(15, 100);
    const found = await verifyCounts(server.database);
    expect(found).toEqual(expected);
    await repairCounts(server.database, found);
    expect(await verifyCounts(server.database)).toEqual([]);
    await writers;
    expect(await verifyCounts(server.database)).toEqual([]);
  }, 60_000);
});

test("C-PROJ-4: repair hides what an older server published by archiving a draft, and moves its counts", async () => {
  const [owner] = owners as [Caller];
  const [tester] = testers as [Caller];
  const projects = await Promise.all([aProject(owner), aProject(owner), aProject(owner)]);
  const [draft, tried, active] = projects.map(({ id }) => id) as [string, string, string];
  await aFeedback(tester, tried, { status: "draft" });
  for (const id of [draft, tried]) await owner.patch(`/projects/${id}`, { status: "archived" });
  // An older server did not write this field, and showed archived drafts to everybody.
  await server.database.projects.updateMany({ _id: { $in: [draft, tried, active] } }, { $unset: { wasActive: "" } });
  const archived = async (caller: Caller) => (await caller.get("/projects?status=archived")).body.pagination.total;
  const before = { owner: await archived(owner), tester: await archived(tester) };
  const differences = await verifyCounts(server.database);
  expect(differences).toEqual([{ kind: "archived drafts", of: draft, off: { public: -1 } }]);
  await repairCounts(server.database, differences);
  await repairCounts(server.database, differences);
  expect(await verifyCounts(server.database)).toEqual([]);
  const statusFor = async (caller: Caller, id: string) => (await caller.get(`/projects/${id}`)).status;
  expect([await statusFor(tester, draft), await statusFor(owner, draft)]).toEqual([404, 200]);
  expect([await statusFor(tester, tried), await statusFor(tester, active)]).toEqual([200, 200]);
  expect({ owner: await archived(owner), tester: await archived(tester) }).toEqual({
    owner: before.owner,
    tester: before.tester - 1,
  });
});
