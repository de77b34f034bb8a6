/**
 * The first page of a list costs the same at 1,000 and at 1,000,000 projects. Two databases on one mongod, the same
 * server on each; rounds alternate between them, and the medians are compared.
 *
 * Run: pnpm test:scale [projects]    Takes some minutes, and about 3 GB of disk for a million.
 */

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { openTemporary } from "@project-feedback/embedded-mongod";
import type { Collection } from "mongodb";
import { createAccount } from "../../src/cli/create-account.ts";
import { createKey } from "../../src/cli/create-key.ts";
import { audienceOf, noCounts, type Project } from "../../src/domain/project.ts";
import { repairCounts, verifyCounts } from "../../src/store/counts.ts";
import { connect, type Database } from "../../src/store/database.ts";
import { toDocument as toFeedback } from "../../src/store/feedback-repository.ts";
import { makeIndexes } from "../../src/store/indexes.ts";
import { toDocument as toProject } from "../../src/store/project-repository.ts";
import { cellOf } from "../../src/store/project-tallies.ts";
import { type ServerProcess, serve } from "../harness/processes.ts";
import { randomFrom, realisticFeedback, realisticProject } from "../harness/realistic-data.ts";

const small = 1_000;
const large = Number(process.argv[2] ?? 1_000_000);
const lanes = 16;
const roundMs = 2_500;
const least = 0.8;
const matches = 40;
/** The project with this part of all feedback, of which there is as much as there are projects, a tenth at most. */
const busyProject = "prj_000000000000000000000000";

interface Place {
  readonly name: string;
  readonly key: string;
  readonly server: ServerProcess;
  readonly agent: Agent;
}

// The servers have process groups of their own: they are ended as this process exits, so it must exit, not be ended.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const mongod = await openTemporary();
const places: Place[] = [];
let failed = false;
try {
  for (const projects of [small, large]) places.push(await makePlace(projects));
  const lists = {
    "list of 20, status and category": "/projects?status=active&category=web&perPage=20",
    "list of 20, no filter": "/projects",
    [`search with ${matches} matches`]: "/projects?search=zeppelin",
    "one project": `/projects/${busyProject}`,
    "feedback list": `/projects/${busyProject}/feedback?sort=helpful`,
  };
  for (const [title, path] of Object.entries(lists)) {
    const judged = title.includes("status and category");
    const medians = await compare(path, judged ? 7 : 3);
    const [one = 0, other = 0] = medians;
    const ratio = other / one;
    console.log(
      `${title.padEnd(34)} ${one.toFixed(0).padStart(6)}/s at ${small}  ${other.toFixed(0).padStart(6)}/s at ${large}  ratio ${ratio.toFixed(2)}`,
    );
    if (judged && ratio < least) failed = true;
  }
} finally {
  for (const { server, agent } of places) {
    agent.destroy();
    server.signal("SIGINT");
  }
  await Promise.all(places.map(({ server }) => server.exited));
  await mongod.stop();
}
console.log(failed ? `FAILED: a list is slower than ${least} of itself at ${small}.` : "A first page costs the same.");
process.exitCode = failed ? 1 : 0;

/** Requests a second in each place: the medians of rounds that alternate between them. */
async function compare(path: string, rounds: number): Promise<number[]> {
  for (const place of places) await measure(place, path, 1_000);
  const rates = places.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [which, place] of places.entries()) rates[which]?.push(await measure(place, path, roundMs));
  }
  return rates.map((each) => each.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0);
}

/** Requests a second for so long, from all lanes at once. */
async function measure(place: Place, path: string, milliseconds: number): Promise<number> {
  const began = performance.now();
  let answered = 0;
  const lane = async () => {
    while (performance.now() - began < milliseconds) {
      await get(place, path);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return answered / ((performance.now() - began) / 1_000);
}

/** Reads an answer with as little work of our own as can be. */
function get({ server, key, agent }: Place, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    const sent = request(`${server.origin}/v1${path}`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
      response.resume().once("end", resolve);
    });
    sent.once("error", reject).end();
  });
}

async function makePlace(projects: number): Promise<Place> {
  const name = `projects_${projects}`;
  const uri = new URL(mongod.uri);
  uri.pathname = `/${name}`;
  const database = await connect(uri.href, { patient: true });
  const began = performance.now();
  await seed(database, projects);
  await makeIndexes(database);
  // Feedback was inserted without its counts.
  await repairCounts(database, await verifyCounts(database));
  await database.client.db("admin").command({ fsync: 1 });
  const { id } = await createAccount(database, { name, role: "developer", plan: "team" });
  const { key } = await createKey(database, id, "");
  await database.client.close();
  console.log(`${projects} projects were made in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const server = await serve({ MONGODB_URI: uri.href, ALLOWANCES: "team=999999999" });
  await sleep(500);
  return { name, key, server, agent: new Agent({ keepAlive: true, maxSockets: lanes }) };
}

/** Projects, their tallies, and feedback, all on the busy project; spread so that matches of a search are everywhere. */
async function seed(database: Database, number: number): Promise<void> {
  const random = randomFrom(number);
  const owners = Array.from({ length: Math.ceil(number / 20) }, (_, owner) => `acc_${owner}`);
  const tallies = new Map<string, Record<string, number>>();
  const every = Math.floor(number / matches);
  await inBulk(database.projects, number, (place) => {
    const made = realisticProject(place, random, owners);
    const shown: Partial<Project> = place === 0 ? { status: "active", isPublic: true } : {};
    const hit = place % every === 0 && place / every < matches;
    const project: Project = {
      ...made,
      ...shown,
      ...(hit && { status: "active", isPublic: true, description: `${made.description} Zeppelin.` }),
      counts: noCounts,
    };
    const cells = tallies.get(audienceOf(project)) ?? {};
    cells[cellOf(project)] = (cells[cellOf(project)] ?? 0) + 1;
    tallies.set(audienceOf(project), cells);
    return toProject(project);
  });
  const documents = [...tallies].map(([audience, cells]) => ({ _id: `${audience}/0`, audience, cells }));
  await inBulk(database.projectTallies, documents.length, (place) => documents[place] as (typeof documents)[number]);
  const testers = Array.from({ length: 500 }, (_, tester) => `acc_t${tester}`);
  await inBulk(database.feedback, Math.ceil(number / 10), (place) => ({
    ...toFeedback(realisticFeedback(place, random, busyProject, testers)),
    helpfulCount: 0,
  }));
}

async function inBulk<Document extends object>(
  collection: Collection<Document>,
  number: number,
  make: (place: number) => Document,
): Promise<void> {
  const portion = 5_000;
  for (let from = 0; from < number; from += portion) {
    const documents = Array.from({ length: Math.min(portion, number - from) }, (_, place) => make(from + place));
    await collection.insertMany(documents as never[], { ordered: false, writeConcern: { w: 1 } });
  }
}
