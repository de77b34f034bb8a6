import { MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../../src/cli/create-account.ts";
import { createKey } from "../../src/cli/create-key.ts";
import { connect } from "../../src/store/database.ts";
import { Caller } from "../harness/caller.ts";
import { type OwnMongod, startOwnMongod } from "../harness/own-mongod.ts";
import { type ServerProcess, serve, until } from "../harness/processes.ts";
import { aProject } from "../harness/samples.ts";

let mongod: OwnMongod;
let server: ServerProcess;
let owner: Caller;
let projectId: string;
beforeAll(async () => {
  mongod = await startOwnMongod();
  server = await serve({ MONGODB_URI: mongod.uri });
  const database = await connect(mongod.uri);
  const { id } = await createAccount(database, { name: "A", role: "developer", plan: "team" });
  owner = new Caller(server.origin, { id, key: (await createKey(database, id, "")).key });
  await database.client.close();
  projectId = (await aProject(owner)).id;
});
afterAll(async () => {
  server?.killGroup();
  await server?.exited;
  await mongod?.remove();
});

async function readiness(): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.origin}/readyz`);
  return { status: response.status, body: await response.json() };
}

test("while no primary is elected a server is ready, for reads work, and tells that writes do not", async () => {
  expect(await readiness()).toEqual({ status: 200, body: { status: "ready", reads: true, writes: true } });
  const client = new MongoClient(mongod.uri);
  await client.db("admin").command({ replSetStepDown: 12, secondaryCatchUpPeriodSecs: 0, force: true });
  await client.close();

  const withoutWrites = { status: 200, body: { status: "ready", reads: true, writes: false } };
  await until(async () => !JSON.stringify((await readiness()).body).includes('"writes":true'), "writes are not down");
  expect(await readiness()).toEqual(withoutWrites);
  expect((await owner.get(`/projects/${projectId}`)).status).toBe(200);
  const metrics = await (await fetch(`${server.origin}/metrics`)).text();
  expect(metrics).toContain('project_feedback_database_up{access="reads"} 1');
  expect(metrics).toContain('project_feedback_database_up{access="writes"} 0');
  expect((await owner.post("/projects", { title: "A", description: "B", category: "web" })).status).toBe(503);
  expect(await readiness()).toEqual(withoutWrites);

  await until(async () => JSON.stringify((await readiness()).body).includes('"writes":true'), "no primary", 40_000);
  expect((await owner.post("/projects", { title: "A", description: "B", category: "web" })).status).toBe(201);
});

test("without the database a server is not ready, and its metrics say so", async () => {
  await mongod.kill();
  await until(async () => (await readiness()).status === 503, "it is still ready");
  expect(await readiness()).toEqual({ status: 503, body: { status: "not ready", reads: false, writes: false } });
  const metrics = await (await fetch(`${server.origin}/metrics`)).text();
  expect(metrics).toContain('project_feedback_database_up{access="reads"} 0');
});
