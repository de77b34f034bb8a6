// `pnpm bench`: measures, prints the tables, and writes them with JSON and charts.

import { mkdirSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import { openCheckout } from "./checkout.ts";
import { dataFolder, type Mongod, openMongod } from "./database.ts";
import { listOf, oneOf, positive, seconds, size } from "./flags.ts";
import { findGo } from "./pocketbase.ts";
import { writeReport } from "./report.ts";
import type { Machine, Options, Results, Row } from "./results.ts";
import type { Plan } from "./rounds.ts";
import { comparedProcesses, measureCheckout, measureGrowth, measureSize } from "./run.ts";
import { BenchError, runProgram } from "./run-program.ts";
import { ours, type ServerDefinition, servers } from "./servers.ts";
import { tablesOf } from "./tables.ts";
import { type Work, works } from "./work.ts";

interface Flags extends Partial<Pick<Plan, "works" | "connections" | "rounds" | "seconds">> {
  readonly quick?: boolean;
  readonly compare?: string;
  readonly sizes?: number[];
  readonly servers?: string[];
  readonly out?: string;
}

/** What is measured where no flag says otherwise. */
interface Defaults extends Options {
  readonly servers: readonly string[];
  readonly sizes: readonly number[];
  readonly starts: number;
}

const serverNames = [...servers.keys()];
const full: Defaults = {
  servers: serverNames,
  sizes: [1_000, 1_000_000],
  connections: [1, 8, 64],
  ...{ rounds: 5, seconds: 1, warmSeconds: 0.3, firstSeconds: 2, starts: 3 },
};
const quick: Defaults = {
  servers: ["ours", "floor", "fastify-tuned"],
  sizes: [1_000],
  connections: [1, 64],
  ...{ rounds: 2, seconds: 0.5, warmSeconds: 0.2, firstSeconds: 0.5, starts: 1 },
};
const compared: Defaults = { ...full, servers: ["ours"], sizes: [1_000], connections: [1, 64] };
/** Growth is one ratio of medians of several processes: fewer rounds say as much. */
const growthRounds = 3;

const program = new Command("bench")
  .description(
    "Measures this server, its floor and its peers side by side, on one MongoDB in one run. A full run takes about an hour, " +
      "and 5 GB of disk the first time. Needs Linux, and Go 1.26 for PocketBase.",
  )
  .option("--quick", "a look in less than 3 minutes: 1,000 projects, 2 short rounds, ours, floor and fastify-tuned")
  .option("--compare <checkout>", "this server against the server of another commit, or of a folder with a checkout")
  .addOption(
    new Option("--sizes <numbers>", "numbers of projects, from 1000 to 1000000, such as 1000,100000").argParser(
      listOf(size),
    ),
  )
  .addOption(
    new Option("--connections <numbers>", "each connection has one request at a time; 1,8,64 if left out").argParser(
      listOf(positive),
    ),
  )
  .addOption(new Option("--servers <names>", `some of ${serverNames.join(",")}`).argParser(listOf(oneOf(serverNames))))
  .addOption(
    new Option("--works <names>", `some of ${Object.keys(works).join(",")}`).argParser(
      listOf(oneOf(Object.keys(works))),
    ),
  )
  .addOption(new Option("--rounds <number>", "how often each is measured; 5, or 2 with --quick").argParser(positive))
  .addOption(
    new Option("--seconds <number>", "how long each measurement takes; 1, or 0.5 with --quick").argParser(seconds),
  )
  .option("--out <folder>", "where the results are written; bench/.data/results, or bench/.data/compare")
  .action((flags: Flags) => (flags.compare === undefined ? bench(flags) : compare(flags, flags.compare)));

const log = (line: string) => console.error(line);

/** The defaults with what the flags say instead. */
function settingsOf(flags: Flags, defaults: Defaults): Defaults & Plan {
  const { rounds = defaults.rounds, seconds = defaults.seconds, connections = defaults.connections } = flags;
  const { sizes = defaults.sizes, works: chosen = Object.keys(works) as Work[] } = flags;
  const warmSeconds = Math.min(defaults.warmSeconds, seconds);
  return {
    ...defaults,
    sizes: ascending(sizes),
    connections: ascending(connections),
    rounds,
    seconds,
    warmSeconds,
    works: chosen,
  };
}

async function bench(flags: Flags): Promise<void> {
  const settings = settingsOf(flags, flags.quick ? quick : full);
  const { sizes } = settings;
  const go = findGo();
  const chosen = chooseServers(flags, settings, go);
  const takesPart = (projects: number) =>
    chosen.filter(({ skips }) =>
      settings.works.some((work) =>
        settings.connections.some((connections) => !skips?.({ work, connections, projects })),
      ),
    );
  const idle = sizes.find((projects) => takesPart(projects).length === 0);
  if (idle !== undefined)
    throw new BenchError(`No chosen server does these works at ${idle} projects. Choose other --servers.`);
  const folder = outputFolder(flags, "results");
  const mongod = await openMongod(log);
  let results = emptyResults(mongod, settings, chosen);
  try {
    for (const projects of sizes) {
      const measured = await measureSize(mongod, projects, takesPart(projects), settings, { ...settings, go, log });
      results = {
        ...results,
        rows: [...results.rows, ...measured.rows],
        startMs: { ...results.startMs, ...measured.startMs },
        peakBytes: { ...results.peakBytes, ...measured.peakBytes },
      };
      // Written after each size, so that an error in the last minute does not lose an hour's results.
      await writeReport(results, folder);
    }
    const ends = [...new Set([sizes[0], sizes.at(-1)])].filter((projects) => projects !== undefined);
    if (ends.length > 1 && chosen.includes(ours)) {
      const { connections } = settings;
      const least = connections.filter(
        (each) => each === Math.min(...connections) || each === Math.max(...connections),
      );
      const plan = { ...settings, connections: least, rounds: Math.min(growthRounds, settings.rounds) };
      results = { ...results, growth: await measureGrowth(mongod, ends, plan, log) };
    }
    await writeReport(results, folder);
  } finally {
    await mongod.stop();
  }
  console.log(tablesOf(results));
  log(`Written to ${folder}: results.json, bars.json, tables.md, chart.svg and chart-dark.svg.`);
}

/** Measures the server of this checkout and that of another, at the same time. */
async function compare(flags: Flags, wanted: string): Promise<void> {
  if (flags.servers) throw new BenchError("--compare measures two checkouts of this server. Leave out --servers.");
  const settings = settingsOf(flags, flags.quick ? { ...quick, servers: compared.servers } : compared);
  const processes = flags.quick ? 1 : comparedProcesses;
  const folder = outputFolder(flags, "compare");
  const checkout = await openCheckout(wanted, log);
  try {
    const mongod = await openMongod(log);
    const rows: Row[] = [];
    const { name } = checkout.server;
    const results = { ...emptyResults(mongod, settings, [ours, checkout.server]), rows, compared: name };
    try {
      for (const projects of settings.sizes) {
        rows.push(...(await measureCheckout(mongod, projects, checkout, processes, settings, log)));
        await writeReport(results, folder);
      }
    } finally {
      await mongod.stop();
    }
    console.log(tablesOf(results));
    log(`Written to ${folder}: results.json and tables.md.`);
  } finally {
    checkout.remove();
  }
}

function chooseServers(flags: Flags, defaults: Defaults, go: string | undefined): ServerDefinition[] {
  const names = flags.servers ?? defaults.servers.filter((name) => go || name !== "pocketbase");
  const advice = "Install Go 1.26 or newer, or set GO to its path, to have it measured.";
  if (!go && names.includes("pocketbase"))
    throw new BenchError(`PocketBase cannot be built: the PATH has no Go that is new enough. ${advice}`);
  if (!go && !flags.quick && !flags.servers) log(`PocketBase is left out. ${advice}`);
  return names.flatMap((name) => servers.get(name) ?? []);
}

function outputFolder({ out }: Flags, name: string): string {
  const folder = resolve(out ?? join(dataFolder, name));
  mkdirSync(folder, { recursive: true });
  return folder;
}

function emptyResults(mongod: Mongod, settings: Options, chosen: readonly ServerDefinition[]): Results {
  const { connections, rounds, seconds, warmSeconds, firstSeconds } = settings;
  return {
    at: new Date().toISOString(),
    machine: machineOf(mongod),
    options: { connections, rounds, seconds, warmSeconds, firstSeconds },
    servers: Object.fromEntries(chosen.map(({ name, about }) => [name, about])),
    rows: [],
    growth: [],
    startMs: {},
    peakBytes: {},
  };
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

function ascending(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

await runProgram(program);
