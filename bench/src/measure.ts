// Rounds: every work on every server, the servers in another order each time.

import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "@project-feedback/server/testing/realistic-data";
import type { Request } from "./ask.ts";
import { type Figures, measure } from "./load.ts";
import { cpuMicroseconds, memoryOf } from "./processes.ts";
import type { Running } from "./servers.ts";
import { type Targets, tasksOf, type Work } from "./work.ts";

/** See "What is generous to ours" in the README: it gains more from many callers than its peers do. */
export const usualConnections = 64;
/** Distinct requests of each connection; it begins again after the last. */
const requestsAConnection = 250;

export interface Plan {
  readonly works: readonly Work[];
  /** Each with one request at a time. */
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Before each measurement. */
  readonly warmSeconds: number;
  /** Of each work, before the first round: code that a server compiles as it runs is compiled by then. */
  readonly firstSeconds: number;
}

/** All figures of one work on one server, a round each. */
export interface Row {
  readonly projects: number;
  readonly work: Work;
  readonly server: string;
  readonly rounds: Figures[];
}

const writes: ReadonlySet<Work> = new Set(["create", "submit", "mix"]);

/** A server that is measured, and what it is asked for. */
export interface Entrant {
  readonly running: Running;
  readonly projects: number;
  readonly targets: Targets;
  /** Takes away what it wrote. */
  clean(): Promise<void>;
  /**
   * Forgets what it took of its callers' allowances. Ours, workers and pair share a database: each would find that the
   * others, who are idle, hold parts of them, and would get no more than it asks for.
   */
  forget(): Promise<unknown>;
}

const lookEveryMs = 100;
/** Time of a processor that servers at rest take between two looks, in microseconds, at most. */
const restMicroseconds = 10_000;
const longestRestMs = 10_000;

/** Waits until what one server was asked for is over and done with, so that the next one does not pay for it. */
async function rest(processes: readonly number[]): Promise<void> {
  const until = performance.now() + longestRestMs;
  for (let before = cpuMicroseconds(processes); performance.now() < until; ) {
    await sleep(lookEveryMs);
    const now = cpuMicroseconds(processes);
    if (now - before <= restMicroseconds) return;
    before = now;
  }
}

/** Measures entrants side by side: every work on each of them, a round after the other. `mongod` is its process. */
export async function measureAll(
  entrants: readonly Entrant[],
  mongod: number,
  plan: Plan,
  tell: (line: string) => void,
): Promise<Row[]> {
  const once = async (entrant: Entrant, work: Work, round: number, seconds: number) => {
    const { running, projects, targets } = entrant;
    const figures = await measure({
      name: `${work} of ${running.contestant.name} at ${projects} projects`,
      origins: running.origins,
      requests: requestsOf(running, work, targets, round, plan.connections),
      warmSeconds: plan.warmSeconds,
      seconds,
      server: running.processes(),
      mongod: [mongod],
    });
    if (writes.has(work)) await entrant.clean();
    await entrant.forget();
    await rest([mongod, ...running.processes()]);
    return figures;
  };
  const rows: Row[] = [];
  const random = randomFrom(plan.rounds);
  for (const work of plan.works) {
    const taking = entrants.filter(({ running, projects }) => !running.contestant.leavesOut?.(work, projects));
    const rowOf = new Map<Entrant, Row>(
      taking.map((entrant) => {
        const { projects, running } = entrant;
        return [entrant, { projects, work, server: running.contestant.name, rounds: [] }];
      }),
    );
    rows.push(...rowOf.values());
    for (const entrant of taking) await once(entrant, work, 1_000, plan.firstSeconds);
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const entrant of shuffled(taking, random)) {
        rowOf.get(entrant)?.rounds.push(await once(entrant, work, round, plan.seconds));
      }
    }
    const sizes = [...new Set(taking.map(({ projects }) => projects.toLocaleString("en")))].join(" and ");
    tell(`${work} at ${sizes} projects: measured ${plan.rounds} times on each of ${taking.length} servers.`);
  }
  return rows;
}

/** The most memory that each server took, in bytes. */
export function memoryPeaks(servers: readonly Running[]): Record<string, number> {
  return Object.fromEntries(servers.map((running) => [running.contestant.name, memoryOf(running.processes()).peak]));
}

/** The requests of every connection: the same for every server, others in another round. */
export function requestsOf(
  { contestant }: Running,
  work: Work,
  targets: Targets,
  round: number,
  connections: number,
): Request[][] {
  return Array.from({ length: connections }, (_, connection) =>
    tasksOf(work, requestsAConnection, targets, round * connections + connection).map((task) => contestant.ask(task)),
  );
}

/** In a random order, the same in every run: nobody has the same neighbour every time. */
function shuffled<Item>(items: readonly Item[], random: (below: number) => number): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random(left.length), 1));
}
