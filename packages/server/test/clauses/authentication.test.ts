import { expect, test } from "vitest";
import { newKey } from "../../src/domain/key.ts";
import { sendRaw } from "../harness/raw.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { useServer } from "../harness/server.ts";

const server = await useServer();
const ada = await server.account();

const unauthorized = { error: "Unauthorized", message: "Invalid or missing API key" };
const asked = (authorization: string) =>
  sendRaw(ada, "GET", "/v1/projects?perPage=1", { headers: ["Authorization", authorization] });

test("S-AUTH-1: every endpoint requires a key before anything else", async () => {
  const project = await aProject(ada);
  const feedback = await aFeedback(ada, project.id);
  const stranger = server.stranger();
  for (const [method, path] of [
    ["GET", "/projects"],
    ["POST", "/projects"],
    ["GET", `/projects/${project.id}`],
    ["PATCH", `/projects/${project.id}`],
    ["DELETE", `/projects/${project.id}`],
    ["GET", `/projects/${project.id}/feedback`],
    ["POST", `/projects/${project.id}/feedback`],
    ["GET", `/feedback/${feedback.id}`],
    ["PATCH", `/feedback/${feedback.id}`],
    ["POST", `/feedback/${feedback.id}/helpful`],
    ["POST", `/feedback/${feedback.id}/reply`],
    ["POST", `/feedback/${feedback.id}/approve`],
    ["POST", `/feedback/${feedback.id}/reject`],
  ] as const) {
    const { status, body } = await stranger.send(method, path);
    expect([status, body], `${method} ${path}`).toEqual([401, unauthorized]);
  }
  expect((await ada.get(`/projects/${project.id}`)).status).toBe(200);
});

test.each([
  ["nothing", ""],
  ["a key without a scheme", "KEY"],
  ["another scheme", "Basic KEY"],
  ["another scheme that begins alike", "Bearers KEY"],
  ["the scheme alone", "Bearer"],
  ["a tab for a space", "Bearer\tKEY"],
  ["a quoted key", 'Bearer "KEY"'],
  ["something after the key", "Bearer KEY x"],
  ["a list", "Bearer KEY, Bearer KEY"],
  ["a key cut short", "Bearer pfs_"],
  ["a key with one character more", "Bearer KEYx"],
  ["a name of an object's prototype", "Bearer __proto__"],
  ["an operator of the database", 'Bearer {"$ne":null}'],
  ["characters that are no ASCII", "Bearer k\u00e9y"],
])("S-AUTH-2 C-AUTH-1: %s is not a valid key", async (_, text) => {
  const { status, body, headers } = await asked(text.replaceAll("KEY", ada.key));
  expect([status, body]).toEqual([401, unauthorized]);
  expect(headers["www-authenticate"]).toBe("Bearer");
});

test("S-AUTH-2: an unknown key, well-formed or not, gets the same 401 as a missing one", async () => {
  const swapped = ada.key.slice(0, 4) + [...ada.key.slice(4)].reverse().join("");
  const otherCase = ada.key === ada.key.toUpperCase() ? ada.key.toLowerCase() : ada.key.toUpperCase();
  for (const key of [newKey(), swapped, otherCase, `${ada.key.slice(0, -1)}!`, "x".repeat(8_000)]) {
    const { status, body } = await asked(`Bearer ${key}`);
    expect([status, body], key.slice(0, 60)).toEqual([401, unauthorized]);
  }
});

test("S-AUTH-2: a key in the query or in another header is ignored", async () => {
  const stranger = server.stranger();
  expect((await stranger.get(`/projects?api_key=${ada.key}`)).status).toBe(401);
  expect((await stranger.get("/projects", { headers: { "X-API-Key": ada.key } })).status).toBe(401);
});

test.each(["Bearer", "bearer", "BEARER", "bEaReR"])("C-AUTH-1: the scheme %s is accepted", async (scheme) => {
  expect((await asked(`${scheme} ${ada.key}`)).status).toBe(200);
});

test("C-AUTH-1: several spaces between scheme and key are accepted (RFC 9110, 11.4)", async () => {
  expect((await asked(`Bearer   ${ada.key}`)).status).toBe(200);
});

test("C-AUTH-1: a second Authorization header is ignored", async () => {
  const headers = ["Authorization", "Bearer nobody", "Authorization", `Bearer ${ada.key}`];
  expect((await sendRaw(ada, "GET", "/v1/projects", { headers })).status).toBe(401);
});

test("C-ERR-4 S-AUTH-2: only a 401 has WWW-Authenticate with the scheme", async () => {
  expect((await server.stranger().get("/projects")).headers.get("WWW-Authenticate")).toBe("Bearer");
  for (const { headers } of [await ada.get("/projects"), await ada.get("/nothing")]) {
    expect(headers.get("WWW-Authenticate")).toBeNull();
  }
});

test("C-ERR-4: a well-formed X-Request-Id is returned with every kind of response", async () => {
  const init = { headers: { "X-Request-Id": "order-66/~!" } };
  for (const response of [
    await ada.get("/projects", init),
    await ada.get("/projects/none", init),
    await server.stranger().get("/projects", init),
    await ada.send("PUT", "/projects", init),
    await ada.send("GET", "//elsewhere", init),
  ]) {
    expect(response.headers.get("X-Request-Id")).toBe("order-66/~!");
  }
});

test.each([
  ["with a space", ["X-Request-Id", "a b"]],
  ["longer than 128", ["X-Request-Id", "x".repeat(129)]],
  ["with a letter beyond ASCII", ["X-Request-Id", "\u00e9"]],
  ["empty", ["X-Request-Id", ""]],
  ["given twice", ["X-Request-Id", "a", "X-Request-Id", "b"]],
  ["missing", []],
])("C-ERR-4: an X-Request-Id that is %s is replaced by a new unique one", async (_, headers) => {
  const ids = await Promise.all(
    [1, 2].map(async () => (await sendRaw(ada, "GET", "/v1/projects", { headers })).headers["x-request-id"]),
  );
  for (const id of ids) expect(id).toMatch(/^[!-~]{16,128}$/);
  expect(ids[0]).not.toBe(ids[1]);
});
