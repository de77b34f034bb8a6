// `pnpm bench:failover`: kills the primary of a replica set of three under load, and measures what callers notice.

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "@project-feedback/server/store/database";
import { run, serve } from "@project-feedback/server/testing/processes";
import { Command } from "commander";
import { type Continuity, continuityOf, faultsOf, isSuccess } from "./continuity.ts";
import { dataFolder } from "./database.ts";
import { startReplicaSet } from "./replica-set.ts";
import { runProgram } from "./run-program.ts";
import { seed } from "./seed.ts";
import { type Sent, sendSteadily } from "./stream.ts";
import { targetsOf, tasksOf } from "./work.ts";

const projects = 1_000;
const perSecond = 200;
const seconds = { before: 10, after: 25 };

interface Outcome {
  /** ISO 8601. */
  readonly at: string;
  readonly options: { readonly projects: number; readonly requestsPerSecond: number; readonly seconds: typeof seconds };
  readonly mongod: string;
  /** Milliseconds from the kill until the set could acknowledge a write again: no server can be faster. */
  readonly electionMs: number;
  readonly continuity: Continuity;
  /** Milliseconds from the start of the killed node until the set was healthy. */
  readonly recoveryMs: number;
  /** Acknowledged writes that were looked up. */
  readonly verified: number;
  /** A sentence for each failed expectation. */
  readonly wrong: readonly string[];
}

const log = (line: string) => console.error(line);
const program = new Command("bench:failover")
  .description("Kills the primary of a replica set under load, and measures how long reads and writes pause.")
  .option("--out <folder>", "another folder where failover.json is written")
  .action(async ({ out }: { readonly out?: string }) => {
    const folders = [join(dataFolder, "results"), ...(out === undefined ? [] : [resolve(out)])];
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    const outcome = await failOver();
    console.log(reportOf(outcome));
    for (const folder of folders) {
      writeFileSync(join(folder, "failover.json"), `${JSON.stringify(outcome, rounded, 2)}\n`);
    }
    process.exitCode = outcome.wrong.length === 0 ? 0 : 1;
  });

/** Starts the set and the server, kills the primary under load, checks every acknowledged write, and stops everything. */
async function failOver(): Promise<Outcome> {
  const set = await startReplicaSet(log);
  try {
    const settings = { MONGODB_URI: set.uriOf("bench_failover"), LOG_LEVEL: "error" };
    const database = await connect(settings.MONGODB_URI, { patient: true });
    await seed(database, projects, log);
    const targets = await targetsOf(database, projects);
    // The seed has numbers of helpful marks without the marks, and `counts verify` would report them.
    await database.feedback.updateMany({}, { $set: { helpfulCount: 0 } });
    await database.client.close();
    const server = await serve(settings);
    try {
      const tasks = tasksOf("mix", perSecond * (seconds.before + seconds.after), targets, 1);
      log(`Sending ${perSecond} requests a second for ${seconds.before + seconds.after} s.`);
      const sending = sendSteadily(server.origin, tasks, perSecond);
      await sleep(seconds.before * 1_000);
      const primary = await set.primary();
      const killed = { at: performance.now(), date: Date.now() };
      await primary.kill();
      log(`Killed the primary, ${primary.host}.`);
      const sent = await sending;
      const electionMs = (await set.electedAt()).getTime() - killed.date;
      const restartedAt = performance.now();
      primary.start();
      await set.healthy();
      const recoveryMs = performance.now() - restartedAt;
      const acknowledged = sent.filter((each) => each.isWrite && isSuccess(each));
      const wrong = [...faultsOf(sent), ...(await missing(server.origin, acknowledged))];
      const continuity = continuityOf(sent, killed.at);
      if (continuity.writes.pauseMs === null) wrong.push("No write was acknowledged after the kill.");
      const counts = await run(["counts", "verify", "--json"], settings);
      if (counts.code !== 0) wrong.push(`A count is wrong: ${(counts.stdout + counts.stderr).slice(0, 500)}`);
      return {
        ...{ at: new Date().toISOString(), options: { projects, requestsPerSecond: perSecond, seconds } },
        ...{ mongod: set.version, electionMs, continuity, recoveryMs, verified: acknowledged.length, wrong },
      };
    } finally {
      server.signal("SIGTERM");
      await server.exited;
      mkdirSync(join(dataFolder, "logs"), { recursive: true });
      writeFileSync(join(dataFolder, "logs", "failover.log"), server.output.stdout + server.output.stderr);
    }
  } finally {
    await set.end();
  }
}

/** A sentence for each acknowledged write that cannot be read, or differs from what was sent. */
async function missing(origin: string, acknowledged: readonly Sent[]): Promise<string[]> {
  const wrong: string[] = [];
  const rest = acknowledged.values();
  const check = async () => {
    for (const { task, text } of rest) {
      const { id } = JSON.parse(text) as { id: string };
      const path = task.item.kind === "create" ? `/v1/projects/${id}` : `/v1/feedback/${id}`;
      const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${task.caller.key}` } });
      const found = await response.text();
      if (response.status !== 200) wrong.push(`${path} was acknowledged, and is answered ${response.status}: ${found}`);
      else if (textOf(task, found) !== textOf(task, text))
        wrong.push(`${path} was acknowledged as ${text}, and is ${found}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, check));
  return wrong;
}

/** The fields that its author wrote, of a project or feedback; counts may have changed since. */
function textOf({ item }: Sent["task"], text: string): string {
  const found = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify("body" in item ? Object.keys(item.body).map((name) => found[name]) : []);
}

function reportOf({ continuity, electionMs, recoveryMs, verified, wrong }: Outcome): string {
  const { requests, answers, writes, reads, slowestMs } = continuity;
  const { before, inPause } = reads;
  const ms = (value: number | null) =>
    value === null ? "until the end" : `${Math.round(value).toLocaleString("en")} ms`;
  const statuses = Object.entries(answers).map(([status, count]) => `${status === "0" ? "none" : status} × ${count}`);
  const latency = ({ p50, p99, most }: typeof before) => `p50 ${ms(p50)}, p99 ${ms(p99)}, slowest ${ms(most)}`;
  return [
    `Election: the set could acknowledge writes again ${ms(electionMs)} after the kill.`,
    `Writes:   paused ${ms(writes.pauseMs)}; longest gap ${ms(writes.longestGapMs)}; ${writes.acknowledged} acknowledged, ${writes.refused} refused.`,
    `Reads:    longest gap ${ms(reads.longestGapMs)}; ${reads.answered} answered, ${reads.refused} refused.`,
    `          While writes paused: ${inPause.answered} answered, ${inPause.refused} refused; ${latency(inPause)}.`,
    `          In the seconds before: ${latency(before)}.`,
    `Answers:  ${statuses.join(", ")} of ${requests}; the slowest after the kill in ${ms(slowestMs)}.`,
    `Killed node: started again, and the set was healthy ${ms(recoveryMs)} later.`,
    ...wrong.slice(0, 20).map((sentence) => `  ${sentence}`),
    wrong.length === 0
      ? `PASSED: all ${verified} acknowledged writes are there, every count is right, and every response was 2xx, or 503 with Retry-After, within 5 s.`
      : `FAILED: ${wrong.length} faults. The server's log is ${join(dataFolder, "logs", "failover.log")}.`,
  ].join("\n");
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value) : value;
}

await runProgram(program);
