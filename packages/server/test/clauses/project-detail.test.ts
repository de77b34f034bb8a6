import { expect, test } from "vitest";
import { sendRaw } from "../harness/raw.ts";
import { aFeedback, aProject, fullProject } from "../harness/samples.ts";
import { useServer } from "../harness/server.ts";

const server = await useServer();
const ada = await server.account();

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const fields = [
  ...["id", "title", "description", "category", "status", "screenshots", "projectUrl", "isPublic"],
  ...["testingRequirements", "stats", "createdAt", "updatedAt"],
];

test("S-PROJ-GET-1 S-PROJ-TYPE-1 C-SHOW-1: the detail has every field, for the owner and for others", async () => {
  const began = Date.now();
  const created = await aProject(ada, fullProject as never);
  const tom = await server.account({ role: "tester" });
  for (const reader of [ada, tom]) {
    const { status, body } = await reader.get(`/projects/${created.id}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(fields);
    expect(body).toEqual(created);
    expect(body).toMatchObject(fullProject);
    expect(body.status).toBe("active");
    expect(body.stats).toEqual({ views: 0, testerRequests: 0, approvedTesters: 0, feedbackCount: 0 });
    for (const time of [body.createdAt, body.updatedAt]) {
      expect(time).toMatch(instant);
      expect(Date.parse(time)).toBeGreaterThanOrEqual(began);
      expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
    }
  }
});

test("C-SHOW-1: a field that was not sent is null, or an empty array", async () => {
  const { id } = await aProject(ada);
  const { body } = await ada.get(`/projects/${id}`);
  expect(body).toMatchObject({ screenshots: [], projectUrl: null, testingRequirements: null, isPublic: true });
  for (const testingRequirements of [{}, { minTesters: null, maxTesters: null }, { feedbackTypes: [] }]) {
    const project = await aProject(ada, { testingRequirements });
    expect(project.testingRequirements).toEqual({ minTesters: null, maxTesters: null, feedbackTypes: [] });
  }
});

test("C-SHOW-1: a returned record can be sent again, including null", async () => {
  for (const sent of [{}, { testingRequirements: {} }, fullProject]) {
    const project = await aProject(ada, sent as never);
    const { id, stats, createdAt, updatedAt, ...rest } = project;
    const again = await ada.post("/projects", { ...rest, status: "active" });
    expect(again.body).toMatchObject(rest);
    expect((await ada.patch(`/projects/${id}`, rest)).body).toMatchObject(rest);
    expect([stats, createdAt, updatedAt]).toHaveLength(3);
  }
});

test("S-PROJ-TYPE-1: ids are unique strings that the service generates", async () => {
  const projects = await Promise.all(Array.from({ length: 20 }, () => aProject(ada)));
  expect(new Set(projects.map(({ id }) => id)).size).toBe(20);
  for (const { id } of projects) expect(id).toMatch(/^[\w-]+$/);
});

const neverGiven = [
  ...["none", "0", "-1", "null", "undefined", "true", "NaN", "__proto__", "constructor", "toString", "hasOwnProperty"],
  ...["%00", "%0A", "%20", "%2F", "..%2F..", "%2e%2e", "a%2Fb", "%25", "%F0%9F%8C%B1", "+", "*", "$ne", "{}", "[]"],
  ...["%", "%zz", "%FF", "%E0%A4%A", "'", "%22", "%3Cscript%3E", "6920a1b2c3d4e5f601234567", "prj_", "x".repeat(4_000)],
];
test("C-ID-1: an unknown id of any form gets a 404 on every path with an id", async () => {
  const paths = (id: string): [string, string][] => [
    ["GET", `/v1/projects/${id}`],
    ["DELETE", `/v1/projects/${id}`],
    ["GET", `/v1/projects/${id}/feedback`],
    ["GET", `/v1/feedback/${id}`],
    ["POST", `/v1/feedback/${id}/helpful`],
    ["POST", `/v1/feedback/${id}/approve`],
    ["POST", `/v1/feedback/${id}/reject`],
  ];
  for (const [method, path] of neverGiven.flatMap(paths)) {
    const { status, body } = await sendRaw(ada, method, path);
    expect([status, body?.error], `${method} ${path}`).toEqual([404, "Not Found"]);
  }
  for (const id of neverGiven) {
    const init = { headers: ["Content-Type", "application/json"], body: "{}" };
    expect((await sendRaw(ada, "PATCH", `/v1/projects/${id}`, init)).status, id).toBe(404);
    expect((await sendRaw(ada, "PATCH", `/v1/feedback/${id}`, init)).status, id).toBe(404);
    const reply = { ...init, body: '{"message":"Hello."}' };
    expect((await sendRaw(ada, "POST", `/v1/feedback/${id}/reply`, reply)).status, id).toBe(404);
    const feedback = { ...init, body: '{"overallRating":3}' };
    expect((await sendRaw(ada, "POST", `/v1/projects/${id}/feedback`, feedback)).status, id).toBe(404);
  }
});

test("C-ID-1: an id is case-sensitive and identifies one kind of record", async () => {
  const project = await aProject(ada);
  const feedback = await aFeedback(ada, project.id);
  for (const path of [
    `/projects/${feedback.id}`,
    `/feedback/${project.id}`,
    `/projects/${project.id.toUpperCase()}`,
    `/projects/${project.id}%20`,
    `/projects/${project.id}%00`,
    `/projects/%20${project.id}`,
    `/projects/${project.id}x`,
    `/projects/${project.id.slice(0, -1)}`,
    `/projects/${ada.id}`,
  ]) {
    expect((await ada.get(path)).status, path).toBe(404);
  }
  const encoded = project.id.replace("_", "%5F");
  expect((await ada.get(`/projects/${encoded}`)).body.id).toBe(project.id);
});

test("C-ID-1 C-ERR-2: a record that the caller may not see gets the same response as one that never existed", async () => {
  const { id } = await aProject(ada, { isPublic: false });
  const bob = await server.account();
  const hidden = await bob.get(`/projects/${id}`);
  const none = await bob.get("/projects/prj_000000000000000000000000");
  expect([hidden.status, hidden.body]).toEqual([none.status, none.body]);
});
