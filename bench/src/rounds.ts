// Rounds: in each, every server does the work with every number of connections, in random order.

import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "@project-feedback/server/testing/realistic-data";
import { measure } from "./load.ts";
import { cpuMicroseconds } from "./processes.ts";
import type { BuildRequest, Request } from "./requests.ts";
import type { Cell, Figures, Options, Round, Row } from "./results.ts";
import type { RunningServer } from "./start-server.ts";
import { type Targets, tasksOf, type Work } from "./work.ts";

/** Distinct requests of each connection; it begins again after the last. */
const requestsPerConnection = 250;
/** The seed of the warm-up's requests is that of no round. */
const warmUpRound = 1_000;

export interface Plan extends Options {
  readonly works: readonly Work[];
}

/** A server that is measured, and the data it works on. */
export interface Subject {
  readonly server: RunningServer;
  readonly projects: number;
  readonly targets: Targets;
  /** Removes what it wrote. */
  reset(): Promise<void>;
  /**
   * Forgets what it took of its callers' allowances. Ours, workers and pair share a database: each would find that the
   * idle others hold parts of them, and would lease the rest in single units.
   */
  resetAllowances(): Promise<unknown>;
}

const writes: ReadonlySet<Work> = new Set(["create", "submit", "mix"]);

const idleCheckMs = 100;
/** Processor time between two checks that counts as idle, in microseconds. */
const idleMicroseconds = 10_000;
const longestWaitMs = 10_000;

/** Waits until the processes are idle, so that the next measurement does not pay for this one. */
async function waitUntilIdle(processes: readonly number[]): Promise<void> {
  const until = performance.now() + longestWaitMs;
  for (let before = cpuMicroseconds(processes); performance.now() < until; ) {
    await sleep(idleCheckMs);
    const now = cpuMicroseconds(processes);
    if (now - before <= idleMicroseconds) return;
    before = now;
  }
}

/**
 * Measures servers side by side: each work in turn, a round after the other. Servers that take every round are measured
 * in each; the others in every second one. `mongod` is its process id.
 */
export async function measureRounds(
  subjects: readonly Subject[],
  mongod: number,
  plan: Plan,
  log: (line: string) => void,
): Promise<Row[]> {
  const random = randomFrom(plan.rounds);
  const rows: Row[] = [];
  for (const work of plan.works) {
    const takesPart = (subject: Subject, connections: number, round: number) => {
      const { skips, everyRound } = subject.server.definition;
      return (everyRound || round % 2 === 0) && !skips?.({ work, connections, projects: subject.projects });
    };
    const entries = plan.connections.flatMap((connections) =>
      subjects
        .filter((subject) => takesPart(subject, connections, 0))
        .map((subject) => ({ subject, connections, rounds: [] as Round[] })),
    );
    await warmUp(entries, mongod, work, plan);
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const connections of shuffled(plan.connections, random)) {
        const now = entries.filter(
          (entry) => entry.connections === connections && takesPart(entry.subject, connections, round),
        );
        for (const { subject, rounds } of shuffled(now, random)) {
          const cell = { work, connections, projects: subject.projects };
          rounds.push({ round, ...(await measureOnce(subject, mongod, cell, round, plan)) });
        }
      }
    }
    for (const { subject, connections, rounds } of entries) {
      const { projects, server } = subject;
      rows.push({ projects, work, connections, server: server.definition.name, rounds });
    }
    const sizes = [...new Set(subjects.map(({ projects }) => projects.toLocaleString("en")))].join(" and ");
    log(
      `${work} at ${sizes} projects: measured ${plan.rounds} rounds with ${plan.connections.join(", ")} connections.`,
    );
  }
  return rows;
}

/** Each server does the work once with the most connections: code that a server compiles as it runs is compiled then. */
async function warmUp(
  entries: readonly { readonly subject: Subject; readonly connections: number }[],
  mongod: number,
  work: Work,
  plan: Plan,
): Promise<void> {
  for (const [subject, own] of Map.groupBy(entries, ({ subject }) => subject)) {
    const connections = Math.max(...own.map((entry) => entry.connections));
    const cell = { work, connections, projects: subject.projects };
    await measureOnce(subject, mongod, cell, warmUpRound, { warmSeconds: 0, seconds: plan.firstSeconds });
  }
}

async function measureOnce(
  subject: Subject,
  mongod: number,
  { work, connections, projects }: Cell,
  round: number,
  { warmSeconds, seconds }: Pick<Plan, "warmSeconds" | "seconds">,
): Promise<Figures> {
  const { server, targets } = subject;
  const { definition, origins } = server;
  const processes = server.processes();
  const figures = await measure({
    name: `${work} of ${definition.name} at ${projects} projects with ${connections} connections`,
    ...{ origins, warmSeconds, seconds, server: processes, mongod: [mongod] },
    requests: requestsOf(definition.buildRequest, work, targets, round, connections),
  });
  if (writes.has(work)) {
    // Requests that were under way when the load ended may still write.
    await waitUntilIdle([mongod, ...processes]);
    await subject.reset();
  }
  await subject.resetAllowances();
  await waitUntilIdle([mongod, ...processes]);
  return figures;
}

/** The requests of every connection: the same for every server, others in another round. */
export function requestsOf(
  buildRequest: BuildRequest,
  work: Work,
  targets: Targets,
  round: number,
  connections: number,
): Request[][] {
  return Array.from({ length: connections }, (_, connection) =>
    tasksOf(work, requestsPerConnection, targets, round * connections + connection).map(buildRequest),
  );
}

/** In a random order that is the same in every run: no server follows the same neighbor each time. */
function shuffled<Item>(items: readonly Item[], random: (below: number) => number): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random(left.length), 1));
}
