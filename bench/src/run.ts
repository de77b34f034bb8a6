// One run: opens the data, starts the servers, measures them side by side and stops them.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "@project-feedback/server/store/database";
import type { Checkout } from "./checkout.ts";
import { dataFolder, type Mongod, openSeeded } from "./database.ts";
import { cleanPocketBase, preparePocketBase } from "./pocketbase.ts";
import { memoryOf } from "./processes.ts";
import type { Results, Row } from "./results.ts";
import { measureRounds, type Plan, type Subject } from "./rounds.ts";
import { prepareReset } from "./seed.ts";
import { type DataLocation, ours, type ServerDefinition } from "./servers.ts";
import { type RunningServer, startServer } from "./start-server.ts";
import { mergeProcesses } from "./statistics.ts";
import { targetsOf } from "./work.ts";

type Log = (line: string) => void;
type Figures = Pick<Results, "startMs" | "peakBytes"> & { readonly rows: readonly Row[] };

/** Processes of the same code differ by up to 15 %: where two versions or sizes are compared, several of each are measured. */
export const comparedProcesses = 3;

/** A database with data, and how a measurement's traces are removed from it. */
interface Data extends Pick<Subject, "projects" | "targets" | "reset" | "resetAllowances"> {
  readonly database: Database;
  readonly location: DataLocation;
}

const ownCode = { openSeeded, targetsOf, prepareReset };

async function openData(
  mongod: Mongod,
  projects: number,
  log: Log,
  code: Pick<Checkout, "openSeeded" | "targetsOf" | "prepareReset"> = ownCode,
): Promise<Data> {
  const database = await code.openSeeded(mongod, projects, log);
  const uri = new URL(mongod.uriOf(projects));
  uri.pathname = `/${database.db.databaseName}`;
  return {
    ...{ database, projects, location: { uri: uri.href } },
    targets: await code.targetsOf(database, projects),
    reset: await code.prepareReset(database),
    resetAllowances: () => database.db.collection("allowances").deleteMany({}),
  };
}

/** Measures servers on one database. `go` builds PocketBase, where it is among them. */
export async function measureSize(
  mongod: Mongod,
  projects: number,
  chosen: readonly ServerDefinition[],
  plan: Plan,
  { starts, go, log }: { readonly starts: number; readonly go: string | undefined; readonly log: Log },
): Promise<Figures> {
  const data = await openData(mongod, projects, log);
  const needsPocketBase = go !== undefined && chosen.some(({ name }) => name === "pocketbase");
  const pocketbase = needsPocketBase ? await preparePocketBase(go, data.database, projects, log) : undefined;
  const location = { ...data.location, pocketbase };
  const reset = async () => {
    await data.reset();
    if (pocketbase) cleanPocketBase(pocketbase.dir);
  };
  const logs = join(dataFolder, "logs", String(projects));
  rmSync(logs, { recursive: true, force: true });
  const startMs: Record<string, number[]> = {};
  const running: RunningServer[] = [];
  try {
    for (const definition of chosen) {
      const times: number[] = [];
      startMs[definition.name] = times;
      for (let left = starts; left > 0; left -= 1) {
        const server = await startServer(definition, location, logs);
        times.push(Math.round(server.startMs));
        if (left > 1) await server.stop();
        else running.push(server);
      }
    }
    const subjects = running.map((server) => ({ ...data, server, reset }));
    const rows = await measureRounds(subjects, mongod.pid, plan, log);
    const peaks = running.map((server) => [server.definition.name, memoryOf(server.processes()).peak]);
    return { rows, startMs: { [projects]: startMs }, peakBytes: { [projects]: Object.fromEntries(peaks) } };
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await data.database.client.close();
  }
}

/** Measures this server at several sizes side by side: what is measured at different times differs by the machine's state. */
export async function measureGrowth(mongod: Mongod, sizes: readonly number[], plan: Plan, log: Log): Promise<Row[]> {
  const opened: Data[] = [];
  try {
    for (const projects of sizes) opened.push(await openData(mongod, projects, log));
    return await measureProcesses(
      opened.map((data) => ({ data, definition: ours })),
      comparedProcesses,
      mongod,
      plan,
      log,
    );
  } finally {
    await Promise.all(opened.map(({ database }) => database.client.close()));
  }
}

/** Measures this checkout's server and another's side by side, each on a database that its own code has filled. */
export async function measureCheckout(
  mongod: Mongod,
  projects: number,
  checkout: Checkout,
  processes: number,
  plan: Plan,
  log: Log,
): Promise<Row[]> {
  const opened: Data[] = [];
  try {
    opened.push(await openData(mongod, projects, log));
    opened.push(await openData(mongod, projects, log, checkout));
    const definitions = [ours, checkout.server];
    const pairs = opened.map((data, which) => ({ data, definition: definitions[which] ?? ours }));
    return await measureProcesses(pairs, processes, mongod, plan, log);
  } finally {
    await Promise.all(opened.map(({ database }) => database.client.close()));
  }
}

/** Measures so many processes of each server, and takes the median of each figure in each round. */
async function measureProcesses(
  pairs: readonly { readonly data: Data; readonly definition: ServerDefinition }[],
  processes: number,
  mongod: Mongod,
  plan: Plan,
  log: Log,
): Promise<Row[]> {
  const subjects: Subject[] = [];
  try {
    for (const { data, definition } of pairs) {
      for (let which = 0; which < processes; which += 1) {
        const logs = join(dataFolder, "logs", `${definition.name}-${data.projects}-${which}`);
        subjects.push({ ...data, server: await startServer(definition, data.location, logs) });
      }
    }
    return mergeProcesses(await measureRounds(subjects, mongod.pid, plan, log));
  } finally {
    await Promise.all(subjects.map(({ server }) => server.stop()));
  }
}
