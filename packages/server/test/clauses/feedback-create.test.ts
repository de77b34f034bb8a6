import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../harness/caller.ts";
import { aProject, fullFeedback } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let ada: Caller;
let tom: Caller;
let path: string;
beforeAll(async () => {
  server = await startServer();
  [ada, tom] = await Promise.all([server.account(), server.account({ role: "tester" })]);
  path = `/projects/${(await aProject(ada)).id}/feedback`;
});
afterAll(() => server.stop());

const post = (fields: object) => tom.post(path, { overallRating: 3, ...fields });

test("S-FB-CREATE-1 C-SHOW-1: the created record begins with its id, is submitted, and has every field", async () => {
  const { status, body } = await tom.post(path, fullFeedback);
  expect(status).toBe(201);
  expect(Object.keys(body)).toEqual([
    ...["id", "projectId", "testerId", "overallRating", "uiFeedback", "uxFeedback", "bugs", "generalComments"],
    ...["status", "helpfulCount", "developerResponse", "rejectionReason", "createdAt", "updatedAt"],
  ]);
  expect(body).toMatchObject({ status: "submitted", helpfulCount: 0, developerResponse: null });
  expect(body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("S-FB-CREATE-3 S-FB-GET-1 C-SHOW-1: the author and others read submitted feedback as it was sent", async () => {
  const { body } = await tom.post(path, fullFeedback);
  for (const reader of [tom, ada]) {
    const read = await reader.get(`/feedback/${body.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(body);
    expect(read.body).toMatchObject({ ...fullFeedback, projectId: path.split("/")[2], testerId: tom.id });
    expect(Object.keys(read.body.uiFeedback)).toEqual(["design", "colors", "typography", "layout"]);
    expect(Object.keys(read.body.uxFeedback)).toEqual(["navigation", "flow", "usability", "suggestions"]);
    expect(read.body.bugs[1]).toEqual({
      id: expect.any(String),
      description: "The list flickers.",
      severity: "medium",
      screenshot: null,
      stepsToReproduce: null,
    });
  }
});

test("C-SHOW-1 S-FB-GET-1: a field that was not sent is null, or an empty array", async () => {
  const { body } = await post({});
  expect(body).toMatchObject({ uiFeedback: null, uxFeedback: null, bugs: [], generalComments: null });
  const nulls = await post({ uiFeedback: null, uxFeedback: null, generalComments: null, bugs: [] });
  expect(nulls.body).toMatchObject({ uiFeedback: null, uxFeedback: null, bugs: [], generalComments: null });
  const empty = await post({ uiFeedback: {}, uxFeedback: { flow: "", navigation: null } });
  expect(empty.body.uiFeedback).toEqual({ design: null, colors: null, typography: null, layout: null });
  expect(empty.body.uxFeedback).toEqual({ navigation: null, flow: "", usability: null, suggestions: null });
});

test.each(["low", "medium", "high", "critical"])(
  "S-FB-CREATE-2 C-ENUM-1: severity %s is accepted",
  async (severity) => {
    const { body } = await post({ bugs: [{ description: "Broken.", severity }] });
    expect(body.bugs).toMatchObject([{ description: "Broken.", severity }]);
  },
);

test("S-FB-CREATE-2: every bug gets a unique id, in the order sent", async () => {
  const bugs = Array.from({ length: 50 }, (_, place) => ({ description: `Bug ${place % 3}`, severity: "low" }));
  const [one, two] = await Promise.all([post({ bugs }), post({ bugs })]);
  expect(one.body.bugs.map(({ description }: { description: string }) => description)).toEqual(
    bugs.map(({ description }) => description),
  );
  const ids = [...one.body.bugs, ...two.body.bugs].map(({ id }) => id);
  expect(new Set(ids).size).toBe(100);
});

test.each([
  [{ overallRating: undefined }, "/overallRating"],
  [{ overallRating: null }, "/overallRating"],
  [{ bugs: [{ severity: "low" }] }, "/bugs/0/description"],
  [{ bugs: [{ description: "x" }] }, "/bugs/0/severity"],
  [{ bugs: [{ description: "x", severity: "low" }, { description: "y" }] }, "/bugs/1/severity"],
  [{ bugs: [{ description: " ", severity: "low" }] }, "/bugs/0/description"],
  [{ bugs: [{ description: "x", severity: null }] }, "/bugs/0/severity"],
  [{ bugs: [{ description: "x", severity: "High" }] }, "/bugs/0/severity"],
  [{ bugs: [{ description: "x", severity: "low", id: "bug_1" }] }, "/bugs/0/id"],
  [{ bugs: [null] }, "/bugs/0"],
  [{ bugs: null }, "/bugs"],
  [{ bugs: {} }, "/bugs"],
  [{ uiFeedback: [] }, "/uiFeedback"],
  [{ uiFeedback: "fine" }, "/uiFeedback"],
  [{ uiFeedback: { color: "red" } }, "/uiFeedback/color"],
  [{ uxFeedback: { flow: 5 } }, "/uxFeedback/flow"],
  [{ generalComments: ["a"] }, "/generalComments"],
  [{ testerId: "acc_0" }, "/testerId"],
  [{ helpfulCount: 5 }, "/helpfulCount"],
])("C-REQ-1 C-ENUM-1 C-STRICT-1: %j gets a 400 at %s", async (fields, at) => {
  const { status, body } = await post(fields);
  expect(status).toBe(400);
  expect(body.details).toContainEqual({ in: "body", at, message: expect.any(String) });
});

const ratings: [string, (rating: string) => string, string][] = [
  ["overallRating", (rating) => `{"overallRating":${rating}}`, "/overallRating"],
  ["design", (rating) => `{"overallRating":3,"uiFeedback":{"design":${rating}}}`, "/uiFeedback/design"],
  ["navigation", (rating) => `{"overallRating":3,"uxFeedback":{"navigation":${rating}}}`, "/uxFeedback/navigation"],
];
test.each(ratings)("C-RATING-1: %s must be an integer from 1 to 5", async (_, bodyWith, at) => {
  const send = (rating: string) =>
    tom.send("POST", path, { body: bodyWith(rating), headers: { "Content-Type": "application/json" } });
  for (const rating of ["1", "2", "5", "4.0", "1e0", "0.3e1", "50E-1"]) {
    const { status, text } = await send(rating);
    expect(status, rating).toBe(201);
    expect(text).toContain(`${at.split("/").at(-1)}":${Number(rating)}`);
  }
  for (const rating of [
    "0",
    "-0",
    "6",
    "-1",
    "4.5",
    "1.0000001",
    "1e1",
    "1e400",
    '"4"',
    "true",
    "[4]",
    "{}",
    '"\\u0034"',
  ]) {
    const { status, body } = await send(rating);
    expect(status, rating).toBe(400);
    expect(body.details[0], rating).toMatchObject({ in: "body", at });
  }
});

test("C-FB-3: developers, the owner and testers may submit feedback any number of times", async () => {
  for (const author of [ada, await server.account(), tom, tom]) {
    const { status, body } = await author.post(path, { overallRating: 5 });
    expect([status, body.testerId]).toEqual([201, author.id]);
  }
});

test.each(["draft", "completed", "archived"])(
  "C-FB-3: a project that is %s accepts no feedback, not even a draft",
  async (status) => {
    const { id } = await aProject(ada, { status: status === "draft" ? "draft" : "active" });
    await ada.patch(`/projects/${id}`, { status });
    for (const fields of [{}, { status: "draft" }]) {
      const { status: refused, body } = await ada.post(`/projects/${id}/feedback`, { overallRating: 3, ...fields });
      expect([refused, body.error]).toEqual([409, "Conflict"]);
    }
    expect((await ada.get(`/projects/${id}/feedback`)).body.pagination.total).toBe(0);
  },
);

test("C-FB-1: new feedback is a draft or submitted, and nothing else", async () => {
  expect((await post({ status: "draft" })).body.status).toBe("draft");
  expect((await post({ status: "submitted" })).body.status).toBe("submitted");
  for (const status of ["approved", "rejected", "Draft", "", null, 0]) {
    expect((await post({ status })).status, String(status)).toBe(400);
  }
});
