import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../harness/caller.ts";
import { aFeedback, aProject, fullFeedback, fullProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let ada: Caller;
let project: string;
let draft: string;
beforeAll(async () => {
  server = await startServer();
  ada = await server.account();
  project = (await aProject(ada)).id;
  draft = (await aFeedback(ada, project, { status: "draft" })).id;
});
afterAll(() => server.stop());

const odd = [
  "x",
  "Title",
  "title ",
  "$gt",
  "$where",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
  "a.b",
  "a/b",
  "\0",
  "\ud83c\udf31",
];
const bodies: [string, string, () => string, object][] = [
  ["a new project", "POST", () => "/projects", fullProject],
  ["changes of a project", "PATCH", () => `/projects/${project}`, { title: "x" }],
  ["new feedback", "POST", () => `/projects/${project}/feedback`, fullFeedback],
  ["changes of a draft", "PATCH", () => `/feedback/${draft}`, { overallRating: 2 }],
  ["a reply", "POST", () => `/feedback/${draft}/reply`, { message: "x" }],
];
const pointerOf = (name: string) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

test.each(bodies)("C-STRICT-1: an unknown field in %s gets a 400 that names it", async (_, method, path, body) => {
  for (const name of odd) {
    const sent = JSON.stringify({ ...body, [name]: null });
    const response = await ada.send(method, path(), { body: sent, headers: { "Content-Type": "application/json" } });
    expect(response.status, name).toBe(400);
    expect(response.body.details).toMatchObject([{ in: "body", at: pointerOf(name) }]);
  }
});

test.each(bodies)(
  "C-STRICT-1: __proto__ in %s is an unknown field like any other and changes no prototype",
  async (_, method, path, body) => {
    const inner = JSON.stringify(body).slice(1);
    for (const proto of ['{"isPublic":false,"polluted":true}', "null", '"x"']) {
      const sent = `{"__proto__":${proto},${inner}`;
      const response = await ada.send(method, path(), { body: sent, headers: { "Content-Type": "application/json" } });
      expect(response.status).toBe(400);
      expect(response.body.details).toMatchObject([{ in: "body", at: "/__proto__" }]);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  },
);

test("C-STRICT-1: an unknown nested field is named too", async () => {
  for (const [sent, at] of [
    [{ ...fullProject, testingRequirements: { minTester: 1 } }, "/testingRequirements/minTester"],
    [{ ...fullProject, testingRequirements: { $gt: 1 } }, "/testingRequirements/$gt"],
  ] as const) {
    expect((await ada.post("/projects", sent)).body.details).toMatchObject([{ in: "body", at }]);
  }
  const bug = { description: "x", severity: "low", step: "y" };
  const { body } = await ada.post(`/projects/${project}/feedback`, {
    overallRating: 1,
    bugs: [bug],
    uiFeedback: { desing: 1 },
  });
  expect(body.details.map(({ at }: { at: string }) => at).toSorted()).toEqual(["/bugs/0/step", "/uiFeedback/desing"]);
});

test.each([
  { title: { $gt: "" } },
  { title: { $regex: ".*" } },
  { category: { $ne: "web" } },
  { category: ["web"] },
  { description: ["x"] },
  { isPublic: "true" },
  { isPublic: "false" },
  { isPublic: 1 },
  { isPublic: null },
  { isPublic: { $exists: true } },
  { projectUrl: false },
  { screenshots: { length: 1 } },
  { screenshots: [["https://example.com"]] },
  { testingRequirements: "none" },
  { testingRequirements: [] },
  { testingRequirements: { minTesters: "3" } },
  { testingRequirements: { minTesters: 3.5 } },
  { testingRequirements: { minTesters: true } },
  { testingRequirements: { feedbackTypes: "ui" } },
])("C-STRICT-1 C-ERR-2: %j is not converted to the right type and gets a 400", async (fields) => {
  const { status, body } = await ada.post("/projects", { ...fullProject, ...fields });
  expect(status).toBe(400);
  expect(body.details[0].at).toContain(`/${Object.keys(fields)[0]}`);
});

test("C-STRICT-1: 4.0 and 4e0 are the integer 4, as in JSON", async () => {
  const send = (minTesters: string) =>
    ada.send("POST", "/projects", {
      headers: { "Content-Type": "application/json" },
      body: `{"title":"a","description":"b","category":"web","testingRequirements":{"minTesters":${minTesters}}}`,
    });
  for (const number of ["4", "4.0", "4e0", "0.4e1"]) {
    expect((await send(number)).body.testingRequirements.minTesters, number).toBe(4);
  }
  for (const number of ["4.5", '"4"', "-4", "1e400", "10001"]) expect((await send(number)).status, number).toBe(400);
});

const queries: [string, () => string][] = [
  ["GET", () => "/projects"],
  ["GET", () => `/projects/${project}`],
  ["POST", () => "/projects"],
  ["PATCH", () => `/projects/${project}`],
  ["DELETE", () => `/projects/${project}`],
  ["GET", () => `/projects/${project}/feedback`],
  ["POST", () => `/projects/${project}/feedback`],
  ["GET", () => `/feedback/${draft}`],
  ["PATCH", () => `/feedback/${draft}`],
  ["POST", () => `/feedback/${draft}/helpful`],
  ["POST", () => `/feedback/${draft}/reply`],
  ["POST", () => `/feedback/${draft}/approve`],
  ["POST", () => `/feedback/${draft}/reject`],
];
test.each(queries)("C-STRICT-1: %s %s rejects an unknown query parameter", async (method, path) => {
  const hasBody = (method === "POST" || method === "PATCH") && !/\/(helpful|approve|reject)$/.test(path());
  const init = hasBody ? { body: "{}", headers: { "Content-Type": "application/json" } } : {};
  for (const name of [
    "x",
    "Page",
    "page[]",
    "search[$ne]",
    "__proto__",
    "constructor",
    "toString",
    "api_key",
    "limit",
    "_",
  ]) {
    const { status, body } = await ada.send(method, `${path()}?${encodeURIComponent(name)}=1`, init);
    expect(status, name).toBe(400);
    expect(body.details).toContainEqual({
      in: "query",
      at: name,
      message: "is not a query parameter of this operation",
    });
  }
  expect((await ada.get(`/projects/${project}`)).status).toBe(200);
});

test.each([
  "page=1&page=1",
  "page=1&page=2",
  "perPage=5&page=1&perPage=5",
  "status=active&status=draft",
  "search=a&search=b",
  "page=1&p%61ge=1",
  "search=&search=a",
])("C-STRICT-1: ?%s repeats a parameter and gets a 400", async (query) => {
  const { status, body } = await ada.get(`/projects?${query}`);
  expect(status).toBe(400);
  expect(body.details[0].message).toBe("is given twice");
});

test.each(["?", "?&", "?&&page=1&", "?page=1#fragment", "?%70age=1", "?perPage=5"])(
  "C-STRICT-1: the query %s is accepted",
  async (query) => {
    expect((await ada.get(`/projects${query}`)).status).toBe(200);
  },
);

test.each(["?%", "?page=%", "?search=%zz", "?search=%C3", "?%FF=1", "?search=%C0%80"])(
  "C-ERR-2: %s is not percent-encoded UTF-8 and gets a 400",
  async (query) => {
    const { status, body } = await ada.get(`/projects${query}`);
    expect(status).toBe(400);
    expect(body.details[0].in).toBe("query");
  },
);
