import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../../src/cli/create-account.ts";
import { createKey } from "../../src/cli/create-key.ts";
import { newKey } from "../../src/domain/key.ts";
import { connect } from "../../src/store/database.ts";
import { Caller, type Received } from "../harness/caller.ts";
import { type OwnMongod, startOwnMongod } from "../harness/own-mongod.ts";
import { type ServerProcess, serve, statusOf, until } from "../harness/processes.ts";
import { aProject } from "../harness/samples.ts";

let mongod: OwnMongod;
let server: ServerProcess;
let owner: Caller;
let forgotten: Caller;
let projectId: string;
let doomedId: string;

beforeAll(async () => {
  mongod = await startOwnMongod();
  server = await serve({ MONGODB_URI: mongod.uri });
  const database = await connect(mongod.uri);
  const account = await createAccount(database, { name: "A", role: "developer", plan: "team" });
  const caller = async () => {
    const { key } = await createKey(database, account.id, "");
    return new Caller(server.origin, { id: account.id, key });
  };
  owner = await caller();
  // A key that the server has not seen before the database goes away.
  forgotten = await caller();
  await database.client.close();
  projectId = (await aProject(owner)).id;
  doomedId = (await aProject(owner)).id;
});
afterAll(async () => {
  server?.killGroup();
  await server?.exited;
  await mongod?.remove();
});

async function timed(answer: Promise<Received>): Promise<Received & { seconds: number }> {
  const began = performance.now();
  const received = await answer;
  return { ...received, seconds: (performance.now() - began) / 1_000 };
}

/** One request of every kind, all at once. */
function everyKind(): Promise<(Received & { seconds: number })[]> {
  const body = { title: "Lost?", description: "Sent while the database was away.", category: "web" };
  const unknown = new Caller(server.origin, { id: "", key: newKey() });
  const requests = [
    owner.get("/projects"),
    owner.get(`/projects/${projectId}`),
    owner.get("/projects?search=project"),
    owner.post("/projects", body),
    owner.post("/projects", body, { "Idempotency-Key": "during-an-outage" }),
    owner.patch(`/projects/${projectId}`, { title: "Changed" }),
    owner.delete(`/projects/${doomedId}`),
    owner.post(`/projects/${projectId}/feedback`, { overallRating: 3 }),
    forgotten.get("/projects"),
    unknown.get("/projects"),
    new Caller(server.origin, undefined).get("/projects"),
  ];
  return Promise.all(requests.map(timed));
}

function expectOutage(answers: readonly (Received & { seconds: number })[]): void {
  for (const [place, { status, headers, body, seconds }] of answers.entries()) {
    const shown = { place, status, error: body.error };
    expect(shown).toEqual({ place, status: 503, error: "Service Unavailable" });
    expect(seconds).toBeLessThan(5);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    for (const name of ["Limit", "Remaining", "Reset"]) expect(headers.get(`X-RateLimit-${name}`)).toMatch(/^\d+$/);
  }
}

/** Every kind twice: of what was cached or connected at first, nothing helps the second time. */
async function expectAway(): Promise<void> {
  // An address without a key may still be counted from what the process holds.
  const away = (answers: (Received & { seconds: number })[]) => answers.filter(({ status }) => status !== 401);
  const first = await everyKind();
  expect(away(first).length).toBeGreaterThanOrEqual(first.length - 1);
  expectOutage(away(first));
  expect(await statusOf(`${server.origin}/readyz`)).toBe(503);
  expect(await statusOf(`${server.origin}/healthz`)).toBe(200);
  expectOutage(away(await everyKind()));
}

async function expectBack(): Promise<void> {
  await until(async () => (await statusOf(`${server.origin}/readyz`)) === 200, "it did not come back", 20_000);
  await until(async () => (await owner.get("/projects")).status === 200, "it does not answer", 10_000);
  expect((await forgotten.get(`/projects/${projectId}`)).status).toBe(200);
  await until(
    async () => (await owner.post("/projects", { title: "A", description: "B", category: "web" })).status === 201,
    "it takes no writes",
    10_000,
  );
  const { status } = await new Caller(server.origin, { id: "", key: newKey() }).get("/projects");
  expect(status).toBe(401);
}

test("C-ERR-2: while mongod hangs, every request gets its 503 within 5 s; then service comes back by itself", async () => {
  mongod.suspend();
  // A stop reaches its threads one after the other.
  await sleep(300);
  try {
    await expectAway();
  } finally {
    mongod.resume();
  }
  await expectBack();
}, 60_000);

test("C-ERR-2: while mongod is dead, every request gets its 503 within 5 s; then service comes back by itself", async () => {
  await mongod.kill();
  await expectAway();
  await sleep(500);
  await mongod.restart();
  await expectBack();
}, 90_000);
