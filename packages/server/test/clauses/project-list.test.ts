import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../harness/caller.ts";
import { aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const statuses = ["draft", "active", "completed", "archived"] as const;
const categories = ["web", "mobile", "desktop", "other"] as const;

let server: TestServer;
let ada: Caller;
let bob: Caller;
let tom: Caller;
/** All projects, in the order of their creation. */
const all: { id: string; owner: Caller; status: string; category: string; isPublic: boolean }[] = [];

beforeAll(async () => {
  server = await startServer();
  [ada, bob, tom] = await Promise.all([server.account(), server.account(), server.account({ role: "tester" })]);
  for (const owner of [ada, bob]) {
    for (const [place, status] of statuses.entries()) {
      for (const category of categories.slice(0, place + 1)) {
        for (const isPublic of [true, false]) {
          const { id } = await aProject(owner, { category, isPublic, status: status === "draft" ? "draft" : "active" });
          if (place > 1) await owner.patch(`/projects/${id}`, { status });
          all.push({ id, owner, status, category, isPublic });
        }
      }
    }
  }
});
afterAll(() => server.stop());

const seenBy = (viewer: Caller) =>
  all.filter(({ owner, status, isPublic }) => owner === viewer || (isPublic && status !== "draft")).toReversed();
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

test("S-PROJ-LIST-1 S-PAGE-1: a list has items with exactly six fields, and pagination", async () => {
  const { status, body } = await tom.get("/projects");
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["data", "pagination"]);
  expect(Object.keys(body.pagination)).toEqual(["page", "perPage", "total"]);
  for (const item of body.data) {
    expect(Object.keys(item)).toEqual(["id", "title", "description", "category", "status", "createdAt"]);
  }
});

test("S-PROJ-LIST-2: page defaults to 1 and perPage to 20", async () => {
  const { body } = await ada.get("/projects");
  expect(body.pagination).toEqual({ page: 1, perPage: 20, total: seenBy(ada).length });
  expect(body.data).toHaveLength(20);
});

describe.each(["ada", "bob", "tom"])("to %s", (name) => {
  const viewerOf = () => ({ ada, bob, tom })[name] as Caller;
  test.each(
    [undefined, ...statuses].flatMap((status) => [undefined, ...categories].map((category) => [status, category])),
  )(
    "S-PROJ-LIST-3 S-PROJ-LIST-4 C-PROJ-4 C-LIST-2 S-PAGE-1: status %s and category %s select the right items, newest first, and the right total",
    async (status, category) => {
      const viewer = viewerOf();
      const expected = seenBy(viewer).filter(
        (project) => (!status || project.status === status) && (!category || project.category === category),
      );
      const query = new URLSearchParams({ perPage: "100", ...(status && { status }), ...(category && { category }) });
      const { body } = await viewer.get(`/projects?${query}`);
      expect(idsOf(body)).toEqual(expected.map(({ id }) => id));
      expect(body.pagination.total).toBe(expected.length);
    },
  );
});

test.each([1, 2, 3, 7, 19, 100])(
  "S-PAGE-1 C-LIST-2: the pages of %i together are the whole list without duplicates",
  async (perPage) => {
    const expected = seenBy(ada).map(({ id }) => id);
    const collected: string[] = [];
    for (let page = 1; page <= Math.ceil(expected.length / perPage); page += 1) {
      const { body } = await ada.get(`/projects?page=${page}&perPage=${perPage}`);
      expect(body.pagination).toEqual({ page, perPage, total: expected.length });
      collected.push(...idsOf(body));
    }
    expect(collected).toEqual(expected);
  },
);

test.each(["2", "1000000", "9007199254740991"])(
  "C-LIST-1: page %s, past the end, is empty and has the total",
  async (page) => {
    const { status, body } = await tom.get(`/projects?page=${page}&perPage=100`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: [], pagination: { page: Number(page), perPage: 100, total: seenBy(tom).length } });
  },
);

test.each([
  [
    "page",
    [
      "0",
      "-1",
      "-0",
      "1.0",
      "1.5",
      "1e3",
      "0x1",
      "01",
      "+1",
      "%201",
      "one",
      "",
      "null",
      "9007199254740992",
      "Infinity",
      "1;2",
      "%D9%A1",
    ],
  ],
  ["perPage", ["0", "-5", "101", "1000000", "1e2", "20.0", "", "all", "2147483648"]],
  ["status", ["", "Active", "ACTIVE", "active,other", "submitted", "constructor", "__proto__", "null", "%00"]],
  ["category", ["", "Web", "web%20", "games", "toString", "*"]],
])("S-PROJ-LIST-2 C-LIST-1: %s rejects each of %j", async (name, values) => {
  for (const value of values) {
    const { status, body } = await ada.get(`/projects?${name}=${value}`);
    expect(status, value).toBe(400);
    expect(body.details[0], value).toMatchObject({ in: "query", at: name });
  }
});

test("C-LIST-1: the smallest and the largest perPage are accepted", async () => {
  expect((await ada.get("/projects?perPage=1")).body.data).toHaveLength(1);
  expect((await ada.get("/projects?perPage=100")).body.pagination.perPage).toBe(100);
  expect((await ada.get("/projects?page=%31&perPage=%32")).body.pagination).toMatchObject({ page: 1, perPage: 2 });
});

test("C-LIST-2: projects with the same createdAt have one order, across pages too", async () => {
  const instant = new Date("2026-01-01T00:00:00.000Z");
  const clockwork = await startServer({ now: () => instant });
  try {
    const eve = await clockwork.account();
    await Promise.all(Array.from({ length: 30 }, () => aProject(eve)));
    const whole = idsOf((await eve.get("/projects?perPage=100")).body);
    expect(whole).toEqual(whole.toSorted().toReversed());
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => eve.get(`/projects?perPage=7&page=${page}`)));
    expect(pages.flatMap(({ body }) => idsOf(body))).toEqual(whole);
  } finally {
    await clockwork.stop();
  }
});

test("C-LIST-2: changing a project does not change its place in the list", async () => {
  const before = idsOf((await ada.get("/projects?perPage=100")).body);
  await ada.patch(`/projects/${all[0]?.id}`, { title: "Changed" });
  expect(idsOf((await ada.get("/projects?perPage=100")).body)).toEqual(before);
});
