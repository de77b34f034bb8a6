// `pnpm bench:soak`: memory over ten minutes of the mix at full load. It must stay under 200 MiB and not grow.

import { join } from "node:path";
import { Argument, Command } from "commander";
import { dataFolder, openMongod, openSeeded } from "./database.ts";
import { minutes } from "./flags.ts";
import { measure } from "./load.ts";
import { memoryOf } from "./processes.ts";
import { requestsOf } from "./rounds.ts";
import { runProgram } from "./run-program.ts";
import { prepareReset } from "./seed.ts";
import { ours } from "./servers.ts";
import { startServer } from "./start-server.ts";
import { spreadOf } from "./statistics.ts";
import { targetsOf } from "./work.ts";

const projects = 1_000;
const connections = 64;
const mostBytes = 200 * 2 ** 20;
/** The last third may take this many times the memory of the middle one: the amount of garbage varies. */
const mostGrowth = 1.05;

const program = new Command("bench:soak")
  .description("Measures the memory of this server under the mix at full load.")
  .addArgument(new Argument("[minutes]", "how long").argParser(minutes).default(10))
  .action(async (duration: number) => {
    const { rate, peak, samples } = await soak(duration);
    const third = Math.floor(samples.length / 3);
    const middle = spreadOf(samples.slice(third, 2 * third)).median;
    const last = spreadOf(samples.slice(2 * third)).median;
    const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
    console.log(
      `${duration} minutes of the mix, ${rate.toFixed(0)} requests per second: ${mebibytes(peak)} MiB at most; ` +
        `median of the middle third ${mebibytes(middle)} MiB, of the last ${mebibytes(last)} MiB.`,
    );
    const holds = peak <= mostBytes && last <= middle * mostGrowth;
    if (!holds) console.log("FAILED: the server took more than 200 MiB, or its memory grew.");
    process.exitCode = holds ? 0 : 1;
  });

/** Samples the server's memory every second, in bytes. */
async function soak(duration: number): Promise<{ rate: number; peak: number; samples: readonly number[] }> {
  const log = (line: string) => console.error(line);
  const mongod = await openMongod(log);
  const database = await openSeeded(mongod, projects, log);
  const reset = await prepareReset(database);
  const server = await startServer(ours, { uri: mongod.uriOf(projects) }, join(dataFolder, "logs", "soak"));
  const targets = await targetsOf(database, projects);
  const processes = server.processes();
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(memoryOf(processes).now), 1_000);
  try {
    const { rate } = await measure({
      ...{ name: "the soak", origins: server.origins, server: processes, mongod: [mongod.pid] },
      ...{ requests: requestsOf(ours.buildRequest, "mix", targets, 0, connections) },
      ...{ warmSeconds: 5, seconds: duration * 60 },
    });
    return { rate, peak: memoryOf(processes).peak, samples };
  } finally {
    clearInterval(sampling);
    await server.stop();
    await reset();
    await database.client.close();
    await mongod.stop();
  }
}

await runProgram(program);
