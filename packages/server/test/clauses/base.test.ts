import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openapiJsonUrl } from "@project-feedback/spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "../../src/cli/listen.ts";
import { readConfig } from "../../src/config.ts";
import { loadContract } from "../../src/contract/contract.ts";
import { selfSigned } from "../harness/certificate.ts";
import { aFeedback, aProject, fullProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test("S-BASE-1: every endpoint is below /v1 and nowhere else", async () => {
  const ada = await server.account();
  const { id } = await aProject(ada);
  expect((await ada.get("/projects")).status).toBe(200);
  for (const path of [
    "/projects",
    `/projects/${id}`,
    "/v2/projects",
    "/v1projects",
    "/V1/projects",
    "/api/v1/projects",
  ]) {
    expect((await ada.send("GET", `/${path}`)).status, path).toBe(404);
  }
});

test("S-BASE-2: with a certificate the server accepts only HTTPS", async () => {
  const ada = await server.account();
  const tls = selfSigned();
  const listener = await listen(server.service, { host: "127.0.0.1", port: 0, tls });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; text: string }>();
    const headers = { Authorization: `Bearer ${ada.key}` };
    request(
      { host: "127.0.0.1", port: listener.port, path: "/v1/projects", ca: tls.cert, agent: false, headers },
      async (response) => {
        let text = "";
        for await (const part of response.setEncoding("utf8")) text += part;
        resolve({ status: response.statusCode, text });
      },
    )
      .once("error", reject)
      .end();
    const { status, text } = await promise;
    expect(status).toBe(200);
    expect(JSON.parse(text).pagination.page).toBe(1);
    await expect(fetch(`http://127.0.0.1:${listener.port}/v1/projects`)).rejects.toThrow();
  } finally {
    await listener.close();
  }
});

test("S-BASE-2: a server that other machines can reach does not start without HTTPS", () => {
  for (const HOST of ["0.0.0.0", "::", "192.0.2.1", "feedback.example.com"]) {
    expect(() => readConfig({ HOST }), HOST).toThrow(/TLS_CERT/);
  }
  expect(readConfig({ HOST: "0.0.0.0", TRUST_PROXY: "1" }).trustedProxies).toBe(1);
  expect(readConfig({}).host).toBe("127.0.0.1");
});

test("S-BASE-3: every response is JSON, successes and errors", async () => {
  const ada = await server.account();
  const answers = await Promise.all([
    ada.get("/projects"),
    ada.post("/projects", fullProject),
    ada.get("/projects/none"),
    ada.post("/projects", {}),
    ada.send("PUT", "/projects"),
    ada.get("/nothing"),
    server.stranger().get("/projects"),
    ada.send("POST", "/projects", { body: "text", headers: { "Content-Type": "text/plain" } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 404, 400, 405, 404, 401, 415]);
  for (const { headers, body } of answers) {
    expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(body).toBeTypeOf("object");
  }
});

test("C-STATUS-1: a success is 200, or 201 with the Location of the created record", async () => {
  const ada = await server.account();
  const project = await ada.post("/projects", fullProject);
  expect(project.status).toBe(201);
  expect(project.headers.get("Location")).toBe(`/v1/projects/${project.body.id}`);
  const feedback = await ada.post(`/projects/${project.body.id}/feedback`, { overallRating: 1 });
  expect(feedback.status).toBe(201);
  expect(feedback.headers.get("Location")).toBe(`/v1/feedback/${feedback.body.id}`);
  for (const { headers, body } of [project, feedback]) {
    expect((await ada.send("GET", `/${headers.get("Location")}`)).body.id).toBe(body.id);
  }
  const { id } = await aFeedback(ada, project.body.id, { status: "draft" });
  for (const { status, headers } of [
    await ada.patch(`/feedback/${id}`, { status: "submitted" }),
    await ada.post(`/feedback/${id}/helpful`),
    await ada.post(`/feedback/${id}/reply`, { message: "Yes." }),
    await ada.post(`/feedback/${id}/approve`),
    await ada.patch(`/projects/${project.body.id}`, { title: "New" }),
    await ada.delete(`/projects/${project.body.id}`),
  ]) {
    expect(status).toBe(200);
    expect(headers.get("Location")).toBeNull();
  }
});

test("C-EVENT-1: the contract has no callbacks, no webhooks and no subscriptions", () => {
  const document = JSON.parse(loadContract().json);
  expect(document.webhooks).toBeUndefined();
  expect(document.components.callbacks).toBeUndefined();
  const operations = Object.values<Record<string, object>>(document.paths).flatMap((path) => Object.values(path));
  expect(operations).toHaveLength(17);
  for (const operation of operations) expect(operation).not.toHaveProperty("callbacks");
  expect(Object.keys(document.paths).join()).not.toMatch(/event|hook|subscri|callback/i);
});

test("C-VER-1: every response of a deprecated operation has Deprecation and Sunset, and no other response has", async () => {
  const document = JSON.parse(readFileSync(openapiJsonUrl, "utf8"));
  document.paths["/projects/{id}"].get["x-deprecation"] = { since: "2026-07-01", sunset: "2027-01-01" };
  const folder = mkdtempSync(join(tmpdir(), "contract-"));
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(document));
  const contract = loadContract({ file: pathToFileURL(file) });
  rmSync(folder, { recursive: true });
  const deprecating = await startServer({ adapt: (parts) => ({ ...parts, contract }) });
  try {
    const ada = await deprecating.account();
    const { id } = await aProject(ada);
    for (const path of [`/projects/${id}`, "/projects/none", `/projects/${id}?x=1`]) {
      const { headers } = await ada.get(path);
      expect(headers.get("Deprecation"), path).toBe(`@${Date.parse("2026-07-01") / 1_000}`);
      expect(headers.get("Sunset"), path).toBe("Fri, 01 Jan 2027 00:00:00 GMT");
    }
    for (const { headers } of [await ada.get("/projects"), await ada.patch(`/projects/${id}`, {})]) {
      expect(headers.get("Deprecation")).toBeNull();
      expect(headers.get("Sunset")).toBeNull();
    }
  } finally {
    await deprecating.stop();
  }
});

test("the served contract names the deployment's own address, and the clauses that it refers to", async () => {
  const allowances = { free: 100, pro: 100, team: 100 };
  const config = { allowances, addressAllowance: 100, trustedProxies: 0, publicUrl: "https://feedback.example.org" };
  const deployed = await startServer({ config });
  const response = await fetch(`${deployed.origin}/openapi.json`);
  const contract = (await response.json()) as { servers: { url: string }[]; externalDocs: { url: string } };
  expect(contract.servers.map(({ url }) => url)).toEqual(["https://feedback.example.org/v1"]);
  expect(contract.externalDocs.url).toBe("https://feedback.example.org/clauses.yaml");
  const clauses = await fetch(`${deployed.origin}/clauses.yaml`);
  expect([clauses.status, await clauses.text()]).toEqual([200, expect.stringContaining("\nS-BASE-1:\n")]);
  await deployed.stop();
});
