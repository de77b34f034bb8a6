// `pnpm bench`: measures, prints the table, and writes JSON, Markdown and a picture.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join, resolve } from "node:path";
import type { Database } from "@project-feedback/server/store/database";
import { Command, Option } from "commander";
import { chartOf } from "./chart.ts";
import { dataFolder, type Mongod, openMongod, openSeeded } from "./database.ts";
import { listOf, oneOf, positive, seconds, size } from "./flags.ts";
import { type Entrant, measureAll, memoryPeaks, type Plan, type Row, usualConnections } from "./measure.ts";
import { cleanPocketBase, findGo, preparePocketBase } from "./pocketbase.ts";
import { type Machine, middleOf, type Results } from "./results.ts";
import { BenchError, runProgram } from "./run-program.ts";
import { keeperOf } from "./seed.ts";
import { type Contestant, contestants, type Place, type Running, start } from "./servers.ts";
import { tablesOf } from "./table.ts";
import { targetsOf, type Work, works } from "./work.ts";

interface Flags {
  readonly quick?: boolean;
  readonly sizes?: number[];
  readonly servers?: string[];
  readonly works?: Work[];
  readonly connections: number;
  readonly rounds?: number;
  readonly seconds?: number;
  readonly out: string;
}

/** Those that a full run measures without being asked. */
const usual = ["ours", "floor", "fastify", "hono", "express", "nest", "pocketbase", "workers", "pair"];
const full = {
  servers: usual,
  sizes: [1_000, 100_000, 1_000_000],
  rounds: 5,
  seconds: 1,
  firstSeconds: 3,
  starts: 3,
};
/** Processes of this server at each size, where the sizes are compared. */
const growthProcesses = 3;
const someServers = ["ours", "floor", "fastify", "express"];
const quick = { servers: someServers, sizes: [1_000], rounds: 2, seconds: 0.5, firstSeconds: 0.4, starts: 1 };

const program = new Command("bench")
  .description(
    "Measures this server, its floor and its peers side by side, on one MongoDB in one run. All of it takes over an hour, and " +
      "5 GB of disk the first time. Needs Linux, and Go 1.26 for PocketBase.",
  )
  .option("--quick", "a look in less than 3 minutes: 1,000 projects, 2 short rounds, ours, floor, fastify and express")
  .addOption(
    new Option("--sizes <numbers>", "numbers of projects, from 1000 to 1000000, such as 1000,100000").argParser(
      listOf(size),
    ),
  )
  .addOption(new Option("--servers <names>", `some of ${usual.join(",")}`).argParser(listOf(oneOf(usual))))
  .addOption(
    new Option("--works <names>", `some of ${Object.keys(works).join(",")}`).argParser(
      listOf(oneOf(Object.keys(works))),
    ),
  )
  .addOption(new Option("--rounds <number>", "how often each is measured; 5, or 2 with --quick").argParser(positive))
  .addOption(
    new Option("--seconds <number>", "how long each measurement takes; 1, or 0.5 with --quick").argParser(seconds),
  )
  .addOption(
    new Option("--connections <number>", "connections, each with one request at a time")
      .argParser(positive)
      .default(usualConnections),
  )
  .option("--out <folder>", "where the results are written", join(dataFolder, "results"))
  .action((flags: Flags) => bench(flags));

const tell = (line: string) => console.error(line);

async function bench(flags: Flags): Promise<void> {
  const usualFor = flags.quick ? quick : full;
  const { sizes = usualFor.sizes, rounds = usualFor.rounds, seconds = usualFor.seconds } = flags;
  const pocketbase = findGo();
  const named = flags.servers ?? usualFor.servers.filter((name) => pocketbase || name !== "pocketbase");
  const advice = "Install Go 1.26 or newer, or name it by GO, to have it measured.";
  if (!pocketbase && named.includes("pocketbase"))
    throw new BenchError(`PocketBase cannot be built, for there is no such Go on the PATH. ${advice}`);
  if (!pocketbase && !flags.quick && !flags.servers) tell(`PocketBase is left out. ${advice}`);
  const chosen = named.flatMap((name) => contestants.get(name) ?? []);
  const plan = {
    works: flags.works ?? (Object.keys(works) as Work[]),
    connections: flags.connections,
    rounds,
    seconds,
    warmSeconds: Math.min(0.4, seconds),
    firstSeconds: usualFor.firstSeconds,
  };
  const measured = (projects: number) =>
    chosen.filter(({ leavesOut }) => !plan.works.every((work) => leavesOut?.(work, projects)));
  for (const projects of sizes) {
    if (measured(projects).length > 0) continue;
    throw new BenchError(
      `None of ${named.join(", ")} does these works at ${projects} projects. Choose other --servers.`,
    );
  }
  const instances = Math.max(...chosen.map((contestant) => contestant.instances ?? 1));
  if (plan.connections < instances)
    throw new BenchError(`${instances} servers at once need a connection each. Give it more --connections.`);
  const folder = resolve(flags.out);
  mkdirSync(folder, { recursive: true });
  const mongod = await openMongod(tell);
  const rows: Row[] = [];
  const growth: Row[] = [];
  const startMs: Record<string, Record<string, number[]>> = {};
  const peakBytes: Record<string, Record<string, number>> = {};
  const { works: _works, ...options } = plan;
  const results: Results = {
    at: new Date().toISOString(),
    machine: machineOf(mongod),
    options,
    servers: Object.fromEntries(chosen.map(({ name, about }) => [name, about])),
    rows,
    growth,
    startMs,
    peakBytes,
  };
  try {
    for (const projects of sizes) {
      const found = await measureSize(mongod, projects, measured(projects), plan, usualFor.starts, pocketbase);
      rows.push(...found.rows);
      startMs[projects] = found.startMs;
      peakBytes[projects] = found.peakBytes;
      // After each size: an hour's results are not lost to an error in its last minute.
      save(results, folder);
    }
    const ends = [Math.min(...sizes), Math.max(...sizes)];
    if (sizes.length > 1 && named.includes("ours")) growth.push(...(await measureGrowth(mongod, ends, plan)));
    save(results, folder);
  } finally {
    await mongod.stop();
  }
  console.log(tablesOf(results));
  tell(`Written to ${folder}: results.json, tables.md and chart.svg.`);
}

function save(results: Results, folder: string): void {
  writeFileSync(join(folder, "results.json"), `${JSON.stringify(results, rounded, 2)}\n`);
  writeFileSync(join(folder, "tables.md"), `${tablesOf(results)}\n`);
  writeFileSync(join(folder, "chart.svg"), chartOf(results));
}

/** Everything at one size: starts the servers, measures them in turn, and stops them. */
async function measureSize(
  mongod: Mongod,
  projects: number,
  chosen: readonly Contestant[],
  plan: Plan,
  starts: number,
  pocketbase: string | undefined,
) {
  const database = await openSeeded(mongod, projects, tell);
  const logs = join(dataFolder, "logs", String(projects));
  rmSync(logs, { recursive: true, force: true });
  const asked = pocketbase && chosen.some(({ name }) => name === "pocketbase");
  const place: Place = {
    uri: mongod.uriOf(projects),
    pocketbase: asked ? await preparePocketBase(pocketbase, database, projects, tell) : undefined,
  };
  const targets = await targetsOf(database, projects);
  const keep = await keeperOf(database);
  const forget = () => database.allowances.deleteMany({});
  const clean = async () => {
    await keep();
    if (place.pocketbase) cleanPocketBase(place.pocketbase.dir);
  };
  const startMs: Record<string, number[]> = {};
  const running: Running[] = [];
  try {
    for (const contestant of chosen) {
      startMs[contestant.name] = [];
      for (let left = starts; left > 0; left -= 1) {
        const server = await start(contestant, place, logs);
        startMs[contestant.name]?.push(Math.round(server.startMs));
        if (left > 1) await server.stop();
        else running.push(server);
      }
    }
    const entrants = running.map((server) => ({ running: server, projects, targets, clean, forget }));
    const rows = await measureAll(entrants, mongod.pid, plan, tell);
    return { rows, startMs, peakBytes: memoryPeaks(running) };
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await database.client.close();
  }
}

/**
 * This server at the least and the largest size, side by side: of what was measured one after the other, a machine's moods tell more. Several
 * processes of each, for two of the same code differ by more than what is looked for.
 */
async function measureGrowth(mongod: Mongod, sizes: readonly number[], plan: Plan): Promise<Row[]> {
  const contestant = contestants.get("ours");
  if (!contestant) throw new Error("this server is a contestant");
  const entrants: Entrant[] = [];
  const databases: Database[] = [];
  try {
    for (const projects of sizes) {
      const database = await openSeeded(mongod, projects, tell);
      databases.push(database);
      const place = { uri: mongod.uriOf(projects), pocketbase: undefined };
      const [targets, clean] = [await targetsOf(database, projects), await keeperOf(database)];
      const forget = () => database.allowances.deleteMany({});
      for (let which = 0; which < growthProcesses; which += 1) {
        const running = await start(contestant, place, join(dataFolder, "logs", `growth-${projects}-${which}`));
        entrants.push({ running, projects, targets, clean, forget });
      }
    }
    const rows = await measureAll(entrants, mongod.pid, plan, tell);
    return [...Map.groupBy(rows, ({ projects, work }) => `${projects}/${work}`).values()].map(middleOf);
  } finally {
    await Promise.all(entrants.map(({ running }) => running.stop()));
    await Promise.all(databases.map(({ client }) => client.close()));
  }
}

function machineOf({ version, cacheGigabytes }: Mongod): Machine {
  return {
    cores: cpus().length,
    model: cpus()[0]?.model ?? "unknown",
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.versions.node,
    mongod: version,
    cacheGigabytes,
  };
}

/** Figures with as many digits as mean something. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(5)) : value;
}

await runProgram(program);
