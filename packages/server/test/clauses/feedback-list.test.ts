import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../harness/caller.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const statuses = ["draft", "submitted", "approved", "rejected"] as const;
const sorts = ["date", "rating", "helpful"] as const;
interface Known {
  id: string;
  author: Caller;
  status: (typeof statuses)[number];
  rating: number;
  marks: number;
}

let server: TestServer;
let people: Record<"ada" | "bob" | "tom" | "tim", Caller>;
let path: string;
/** All feedback of the project, in the order of its creation. */
const all: Known[] = [];

beforeAll(async () => {
  server = await startServer();
  const [ada, bob, tom, tim] = await Promise.all([
    server.account(),
    server.account(),
    server.account({ role: "tester" }),
    server.account({ role: "tester" }),
  ]);
  people = { ada, bob, tom, tim };
  const { id } = await aProject(ada);
  path = `/projects/${id}/feedback`;
  const elsewhere = await aProject(ada);
  await aFeedback(tom, elsewhere.id);
  for (const author of [tom, bob, ada]) {
    for (const [place, status] of [...statuses, ...statuses].entries()) {
      const rating = 1 + ((place * 3) % 5);
      const feedback = await aFeedback(author, id, {
        overallRating: rating,
        status: status === "draft" ? "draft" : "submitted",
      });
      if (status === "approved") await ada.post(`/feedback/${feedback.id}/approve`);
      if (status === "rejected") await ada.post(`/feedback/${feedback.id}/reject`);
      const markers = status === "draft" ? [] : [ada, bob].slice(0, place % 3);
      for (const marker of markers) await marker.post(`/feedback/${feedback.id}/helpful`);
      all.push({ id: feedback.id, author, status, rating, marks: markers.length });
    }
  }
});
afterAll(() => server.stop());

const keys = { date: () => 0, rating: (one: Known) => one.rating, helpful: (one: Known) => one.marks };
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

function expectedFor(viewer: Caller, filter: { status?: string; testerId?: string; sort?: (typeof sorts)[number] }) {
  const key = keys[filter.sort ?? "date"];
  return all
    .filter(({ author, status }) => status !== "draft" || author === viewer)
    .filter(
      ({ author, status }) => (filter.status ?? status) === status && (filter.testerId ?? author.id) === author.id,
    )
    .toReversed()
    .toSorted((one, two) => key(two) - key(one))
    .map(({ id }) => id);
}

test("S-FB-LIST-1 S-PAGE-1: a list has items with exactly six fields, and pagination", async () => {
  const { status, body } = await people.tim.get(path);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["data", "pagination"]);
  expect(body.pagination).toEqual({ page: 1, perPage: 20, total: 18 });
  for (const item of body.data) {
    expect(Object.keys(item)).toEqual(["id", "projectId", "testerId", "overallRating", "status", "createdAt"]);
    expect(item.projectId).toBe(path.split("/")[2]);
  }
});

describe.each(["ada", "bob", "tom", "tim"] as const)("to %s", (name) => {
  test.each([undefined, ...statuses].flatMap((status) => [undefined, ...sorts].map((sort) => [status, sort] as const)))(
    "S-FB-LIST-2 S-FB-LIST-3 C-LIST-2 C-FB-4: status %s sorted by %s has the right items and total, for each author",
    async (status, sort) => {
      const viewer = people[name];
      for (const testerId of [undefined, people.tom.id, people.ada.id, people.tim.id, "nobody", "__proto__"]) {
        const filter = { ...(status && { status }), ...(sort && { sort }), ...(testerId && { testerId }) };
        const { body } = await viewer.get(`${path}?${new URLSearchParams({ perPage: "100", ...filter })}`);
        const expected = expectedFor(viewer, filter);
        expect(idsOf(body), String(testerId)).toEqual(expected);
        expect(body.pagination.total, String(testerId)).toBe(expected.length);
      }
    },
  );
});

test.each(sorts)(
  "S-FB-LIST-3 C-LIST-2: the pages sorted by %s together are the whole list without duplicates",
  async (sort) => {
    for (const perPage of [1, 4, 5]) {
      const expected = expectedFor(people.bob, { sort });
      const collected: string[] = [];
      for (let page = 1; collected.length < expected.length; page += 1) {
        const { body } = await people.bob.get(`${path}?sort=${sort}&perPage=${perPage}&page=${page}`);
        expect(body.pagination).toEqual({ page, perPage, total: expected.length });
        expect(body.data.length).toBeGreaterThan(0);
        collected.push(...idsOf(body));
      }
      expect(collected).toEqual(expected);
    }
  },
);

test("C-LIST-2: items with the same createdAt are ordered by id, across pages too", async () => {
  const clockwork = await startServer({ now: () => new Date("2026-01-01T00:00:00.000Z") });
  try {
    const eve = await clockwork.account();
    const { id } = await aProject(eve);
    await Promise.all(Array.from({ length: 12 }, (_, place) => aFeedback(eve, id, { overallRating: 1 + (place % 2) })));
    for (const sort of sorts) {
      const whole = (await eve.get(`/projects/${id}/feedback?sort=${sort}`)).body.data;
      const rank = (item: { overallRating: number; id: string }) =>
        (sort === "rating" ? item.overallRating : 0) + item.id;
      expect(whole.map(rank)).toEqual(whole.map(rank).toSorted().toReversed());
      const pages = await Promise.all(
        [1, 2, 3].map((page) => eve.get(`/projects/${id}/feedback?sort=${sort}&perPage=5&page=${page}`)),
      );
      expect(pages.flatMap(({ body }) => idsOf(body))).toEqual(whole.map((item: { id: string }) => item.id));
    }
  } finally {
    await clockwork.stop();
  }
});

test("C-LIST-1: a page past the end is empty and has the total", async () => {
  for (const page of [2, 50, Number.MAX_SAFE_INTEGER]) {
    const { status, body } = await people.tim.get(`${path}?page=${page}`);
    expect([status, body]).toEqual([200, { data: [], pagination: { page, perPage: 20, total: 18 } }]);
  }
});

test.each([
  ["page", ["0", "-1", "1.5", "x", ""]],
  ["perPage", ["0", "101", "-1", "x", ""]],
  ["status", ["", "Submitted", "active", "draft,other", "__proto__"]],
  ["sort", ["", "Date", "-date", "rating:asc", "createdAt", "constructor", "helpful,rating"]],
])("C-LIST-1 S-FB-LIST-3: %s rejects each of %j", async (name, values) => {
  for (const value of values) {
    const { status, body } = await people.ada.get(`${path}?${name}=${value}`);
    expect(status, value).toBe(400);
    expect(body.details[0]).toMatchObject({ in: "query", at: name });
  }
});

test("S-FB-LIST-3: a new mark or a new rating changes the order at once", async () => {
  const { ada, bob, tom } = people;
  const { id } = await aProject(ada);
  const list = async (sort: string) => idsOf((await tom.get(`/projects/${id}/feedback?sort=${sort}`)).body);
  const [first, second] = [await aFeedback(tom, id), await aFeedback(tom, id, { status: "draft", overallRating: 1 })];
  expect(await list("helpful")).toEqual([second.id, first.id]);
  await bob.post(`/feedback/${first.id}/helpful`);
  expect(await list("helpful")).toEqual([first.id, second.id]);
  expect(await list("rating")).toEqual([first.id, second.id]);
  await tom.patch(`/feedback/${second.id}`, { overallRating: 5 });
  expect(await list("rating")).toEqual([second.id, first.id]);
});
