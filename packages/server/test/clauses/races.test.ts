import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyCounts } from "../../src/store/counts.ts";
import type { Caller } from "../harness/caller.ts";
import { aFeedback, aProject, fullFeedback } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let other: TestServer;
let ada: Caller;
let tom: Caller;
beforeAll(async () => {
  server = await startServer();
  other = await startServer({ databaseName: server.databaseName });
  [ada, tom] = await Promise.all([server.account(), server.account({ role: "tester" })]);
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

test("S-PROJ-PATCH-1: concurrent changes of different fields through two servers are all kept", async () => {
  const there = await other.anotherKey(ada);
  const { id } = await aProject(ada);
  const changes = {
    title: "New",
    description: "Also new.",
    category: "other",
    projectUrl: "https://example.com/",
    screenshots: ["https://example.com/1.png"],
    isPublic: false,
    testingRequirements: { minTesters: 1, maxTesters: 2, feedbackTypes: ["ux"] },
    status: "completed",
  };
  const answers = await Promise.all(
    Object.entries(changes).map(([name, value], place) =>
      (place % 2 ? ada : there).patch(`/projects/${id}`, { [name]: value }),
    ),
  );
  for (const { status } of answers) expect(status).toBe(200);
  expect((await ada.get(`/projects/${id}`)).body).toMatchObject(changes);
});

test("S-FB-PATCH-1: concurrent changes of different fields of a draft are all kept", async () => {
  const { id: project } = await aProject(ada);
  const { id } = await aFeedback(tom, project, { status: "draft" });
  const { bugs: _, ...changes } = fullFeedback;
  await Promise.all(Object.entries(changes).map(([name, value]) => tom.patch(`/feedback/${id}`, { [name]: value })));
  expect((await tom.get(`/feedback/${id}`)).body).toMatchObject(changes);
});

test("S-PROJ-DELETE-1 S-PROJ-PATCH-1: changes concurrent with a deletion do not restore the project", async () => {
  const there = await other.anotherKey(ada);
  for (let round = 0; round < 4; round += 1) {
    const { id } = await aProject(ada);
    const [deleted, ...changed] = await Promise.all([
      there.delete(`/projects/${id}`),
      ...[1, 2, 3, 4].map((place) => ada.patch(`/projects/${id}`, { title: `Change ${place}` })),
    ]);
    expect(deleted?.status).toBe(200);
    for (const { status } of changed) expect([200, 404]).toContain(status);
    expect((await ada.get(`/projects/${id}`)).status).toBe(404);
  }
});

test("C-FB-3: no feedback is accepted after a concurrent completion of its project", async () => {
  const there = await other.anotherKey(tom);
  for (let round = 0; round < 4; round += 1) {
    const { id } = await aProject(ada);
    const [moved, ...sent] = await Promise.all([
      ada.patch(`/projects/${id}`, { status: "completed" }),
      ...[1, 2, 3, 4].map((place) =>
        (place % 2 ? tom : there).post(`/projects/${id}/feedback`, { overallRating: place }),
      ),
    ]);
    expect(moved?.status).toBe(200);
    for (const { status } of sent) expect([201, 409]).toContain(status);
    const taken = sent.filter(({ status }) => status === 201).length;
    expect((await ada.get(`/projects/${id}/feedback`)).body.pagination.total).toBe(taken);
    expect((await ada.get(`/projects/${id}`)).body.stats.feedbackCount).toBe(taken);
  }
});

test("C-HELP-1: one hundred concurrent marks on one feedback all succeed and are counted", async () => {
  const { id: project } = await aProject(ada);
  const { id } = await aFeedback(tom, project);
  const developers = await Promise.all(Array.from({ length: 100 }, () => server.account()));
  const answers = await Promise.all(developers.map((one) => one.post(`/feedback/${id}/helpful`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(new Set(answers.map(({ body }) => body.helpfulCount)).size).toBe(100);
  expect((await ada.get(`/feedback/${id}`)).body.helpfulCount).toBe(100);
});

test("S-PAGE-1 C-STATS-1: after many concurrent writes through two servers every count is correct", async () => {
  const developers = await Promise.all([ada, other.account(), server.account()]);
  const testers = await Promise.all([tom, other.account({ role: "tester" }), ada]);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
  const projects = await Promise.all(
    Array.from({ length: 5 }, async (_, place) => {
      const owner = developers[place % 3] as Caller;
      return { owner, id: (await aProject(owner)).id };
    }),
  );
  const feedback: { id: string; author: Caller; owner: Caller }[] = [];
  const steps = [
    async () => {
      const { id, owner } = pick(projects);
      const author = pick(testers);
      const sent = { overallRating: 1 + random(5), status: pick(["draft", "submitted"]) };
      const { status, body } = await author.post(`/projects/${id}/feedback`, sent);
      if (status === 201) feedback.push({ id: body.id, author, owner });
    },
    async () => {
      const one = feedback.at(random(20) - 20);
      await one?.author.patch(`/feedback/${one.id}`, { status: "submitted" });
    },
    async () => {
      const one = feedback.at(random(20) - 20);
      await one?.owner.post(`/feedback/${one.id}/${pick(["approve", "reject"])}`);
    },
    async () => {
      const one = feedback.at(random(20) - 20);
      if (one) await pick(developers).post(`/feedback/${one.id}/helpful`);
    },
    async () => {
      const { id, owner } = pick(projects);
      const changes = pick([{ status: "archived" }, { status: "active" }, { isPublic: false }, { isPublic: true }]);
      await owner.patch(`/projects/${id}`, changes);
    },
    async () => {
      const place = random(projects.length * 4);
      const deleted = projects[place];
      if (!deleted) return;
      projects[place] = {
        owner: deleted.owner,
        id: (await aProject(deleted.owner, { category: pick(["web", "other"]) })).id,
      };
      await deleted.owner.delete(`/projects/${deleted.id}`);
    },
  ];
  for (let round = 0; round < 25; round += 1) {
    await Promise.all(Array.from({ length: 8 }, () => pick(steps)()));
  }
  expect(feedback.length).toBeGreaterThan(20);
  expect(await verifyCounts(server.database)).toEqual([]);
  for (const { id, owner } of projects) {
    const { stats } = (await owner.get(`/projects/${id}`)).body;
    const listed = (await owner.get(`/projects/${id}/feedback?perPage=100`)).body;
    const past = listed.data.filter(({ status }: { status: string }) => status !== "draft");
    expect(listed.pagination.total).toBe(listed.data.length);
    expect(stats.feedbackCount).toBe(past.length);
    expect(stats.testerRequests).toBe(new Set(past.map(({ testerId }: { testerId: string }) => testerId)).size);
  }
});
