import { expect, test } from "vitest";
import { fullProject } from "../harness/samples.ts";
import { useServer } from "../harness/server.ts";

const server = await useServer();
const ada = await server.account();

const least = { title: "A", description: "B", category: "web" };

test("S-PROJ-CREATE-1 C-SHOW-1: the created record begins with id and title, and has every field", async () => {
  const { status, body } = await ada.post("/projects", fullProject);
  expect(status).toBe(201);
  expect(Object.keys(body).slice(0, 2)).toEqual(["id", "title"]);
  expect(body).toMatchObject(fullProject);
  expect(body.createdAt).toBe(body.updatedAt);
});

test.each([
  ["every field", fullProject],
  ["the least", least],
  ["text with markup and quotes", { ...least, title: "<b>\"'`&amp;\\</b>", description: "$(x) {{y}} %s \\u0041" }],
  [
    "text of every plane",
    {
      ...least,
      title: "\ud83c\udf31 \u0627\u0644\u0639 \u6771\u4eac \u200d\u0000\u001f\u007f",
      description: "a\r\n\tb\u2028",
    },
  ],
  ["text with white space around it", { ...least, title: "  a  ", description: "\n b \n" }],
  ["text that is not normalised", { ...least, title: "e\u0301 \u00e9 \u212b" }],
  ["text that looks like an operator", { ...least, title: "$gt", description: '{"$ne":null}' }],
  ["text that looks like a number or null", { ...least, title: "null", description: "0" }],
  [
    "repeated screenshots, in their order",
    { ...least, screenshots: ["https://b.example", "https://a.example", "https://b.example"] },
  ],
  [
    "equal bounds of testers",
    { ...least, testingRequirements: { minTesters: 7, maxTesters: 7, feedbackTypes: ["ux"] } },
  ],
  [
    "all kinds of feedback, in their order",
    {
      ...least,
      testingRequirements: { minTesters: 1, maxTesters: 10_000, feedbackTypes: ["general", "bugs", "ux", "ui"] },
    },
  ],
  ["a project that is not public", { ...least, isPublic: false }],
])("S-PROJ-CREATE-2: %s is read as it was sent", async (_, sent) => {
  const created = await ada.post("/projects", sent);
  expect(created.status).toBe(201);
  const { body } = await ada.get(`/projects/${created.body.id}`);
  expect(body).toMatchObject(sent);
  expect(body).toEqual(created.body);
  const list = await ada.get("/projects?perPage=1");
  expect(list.body.data[0]).toMatchObject({ id: body.id, title: sent.title, description: sent.description });
});

test("C-PROJ-1: a new project is active and public unless the request says otherwise", async () => {
  expect((await ada.post("/projects", least)).body).toMatchObject({ status: "active", isPublic: true });
  expect((await ada.post("/projects", { ...least, status: "draft" })).body.status).toBe("draft");
  expect((await ada.post("/projects", { ...least, status: "active" })).body.status).toBe("active");
  for (const status of ["completed", "archived", "Draft", "", null, 1, ["draft"]]) {
    expect((await ada.post("/projects", { ...least, status })).status, String(status)).toBe(400);
  }
});

test("S-PROJ-TYPE-1: each category is accepted, and no other value", async () => {
  for (const category of ["web", "mobile", "desktop", "other"]) {
    expect((await ada.post("/projects", { ...least, category })).body.category).toBe(category);
  }
  for (const category of ["Web", "games", "", " web", null, 0, true, ["web"], { $ne: "web" }, "__proto__"]) {
    const { status, body } = await ada.post("/projects", { ...least, category });
    expect(status, JSON.stringify(category)).toBe(400);
    expect(body.details[0]).toMatchObject({ in: "body", at: "/category" });
  }
});

test.each(["title", "description", "category"])("C-REQ-1: %s is required and must not be null", async (name) => {
  const { [name]: _, ...rest } = least as Record<string, string>;
  for (const sent of [rest, { ...rest, [name]: null }]) {
    const { status, body } = await ada.post("/projects", sent);
    expect(status).toBe(400);
    expect(body.details[0]).toMatchObject({ in: "body", at: `/${name}` });
  }
});

test("C-ENUM-1: feedbackTypes has any of its four values, each at most once", async () => {
  const post = (feedbackTypes: unknown) => ada.post("/projects", { ...least, testingRequirements: { feedbackTypes } });
  for (const kinds of [
    ["ui", "ui"],
    ["ui", "ux", "bugs", "general", "ui"],
    ["UI"],
    [""],
    [null],
    "ui",
    { 0: "ui" },
    null,
  ]) {
    expect((await post(kinds)).status, JSON.stringify(kinds)).toBe(400);
  }
  expect((await post(["bugs"])).body.testingRequirements.feedbackTypes).toEqual(["bugs"]);
});

test("S-PROJ-CREATE-1: fields that the service sets cannot be sent", async () => {
  for (const name of ["id", "ownerId", "stats", "createdAt", "updatedAt", "counts", "audience", "_id"]) {
    const { status, body } = await ada.post("/projects", { ...least, [name]: "x" });
    expect(status, name).toBe(400);
    expect(body.details).toEqual([{ in: "body", at: `/${name}`, message: expect.any(String) }]);
  }
});

test("S-PROJ-CREATE-2: fifty concurrent creations create fifty projects", async () => {
  const bob = await server.account();
  const created = await Promise.all(
    Array.from({ length: 50 }, (_, place) => bob.post("/projects", { ...least, title: `Number ${place}` })),
  );
  expect(created.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201));
  const { body } = await bob.get("/projects?search=number&perPage=100");
  expect(new Set(body.data.map(({ title }: { title: string }) => title)).size).toBe(50);
  expect(body.pagination.total).toBe(50);
});
