// Memory over ten minutes of the mix at full load: `pnpm bench:soak`. The server must stay under 200 MiB, and not climb.

import { dataFolder, openMongod, openSeeded } from "./database.ts";
import { measure } from "./load.ts";
import { requestsOf } from "./measure.ts";
import { memoryOf } from "./processes.ts";
import { spreadOf } from "./results.ts";
import { keeperOf } from "./seed.ts";
import { contestants, start } from "./servers.ts";
import { targetsOf } from "./work.ts";

const projects = 1_000;
const minutes = Number(process.argv[2] ?? 10);
const mostBytes = 200 * 2 ** 20;
/** How much higher the last third may be than the middle one: what garbage there is varies. */
const mostClimb = 1.05;

if (!(minutes > 0)) {
  console.error(`"${process.argv[2]}" is not a number of minutes. Usage: pnpm bench:soak [MINUTES]`);
  process.exit(2);
}
const tell = (line: string) => console.error(line);
// Server and mongod are ended as this process exits, so it must exit, not be ended.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const mongod = await openMongod(tell);
const database = await openSeeded(mongod, projects, tell);
const clean = await keeperOf(database);
const ours = contestants.get("ours");
if (!ours) throw new Error("this server is a contestant");
const server = await start(ours, { uri: mongod.uriOf(projects), pocketbase: undefined }, dataFolder);
const processes = server.processes();
const samples: number[] = [];
const sampling = setInterval(() => samples.push(memoryOf(processes).now), 1_000);
const { rate } = await measure({
  ...{
    name: "the soak",
    origins: server.origins,
    requests: requestsOf(server, "mix", await targetsOf(database, projects), 0),
  },
  ...{ warmSeconds: 5, seconds: minutes * 60, server: processes, mongod: [mongod.pid] },
});
clearInterval(sampling);
const { peak } = memoryOf(processes);
await server.stop();
await clean();
await database.client.close();
await mongod.stop();

const third = Math.floor(samples.length / 3);
const middle = spreadOf(samples.slice(third, 2 * third)).median;
const last = spreadOf(samples.slice(2 * third)).median;
const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
console.log(
  `${minutes} minutes of the mix, ${rate.toFixed(0)} requests a second: ${mebibytes(peak)} MiB at most; ` +
    `median of the middle third ${mebibytes(middle)} MiB, of the last ${mebibytes(last)} MiB.`,
);
const failed = peak > mostBytes || last > middle * mostClimb;
if (failed) console.log("FAILED: the server took more than 200 MiB, or climbed.");
process.exit(failed ? 1 : 0);
