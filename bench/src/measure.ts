// Rounds: every work on every server, the servers in another order each time.

import type { Request } from "./ask.ts";
import { connections, type Figures, measure } from "./load.ts";
import { memoryOf } from "./processes.ts";
import type { Running } from "./servers.ts";
import { type Targets, tasksOf, type Work } from "./work.ts";

/** Distinct requests of each connection; it begins again after the last. */
const requestsAConnection = 250;

export interface Plan {
  readonly works: readonly Work[];
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
}

/** Measures entrants side by side: every work on each of them, a round after the other. `mongod` is its process. */
export async function measureAll(
  entrants: readonly Entrant[],
  mongod: number,
  plan: Plan,
  tell: (line: string) => void,
): Promise<Row[]> {
  const once = async ({ running, projects, targets, clean }: Entrant, work: Work, round: number, seconds: number) => {
    const figures = await measure({
      name: `${work} of ${running.contestant.name} at ${projects} projects`,
      origins: running.origins,
      requests: requestsOf(running, work, targets, round),
      warmSeconds: plan.warmSeconds,
      seconds,
      server: running.processes(),
      mongod: [mongod],
    });
    if (writes.has(work)) await clean();
    return figures;
  };
  const rows = new Map<string, Row>();
  for (const work of plan.works) {
    const taking = entrants.filter(({ running, projects }) => !running.contestant.leavesOut?.(work, projects));
    for (const entrant of taking) await once(entrant, work, 1_000, plan.firstSeconds);
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const entrant of rotated(taking, round)) {
        const server = entrant.running.contestant.name;
        const key = `${work}/${server}/${entrant.projects}`;
        const row = rows.get(key) ?? { projects: entrant.projects, work, server, rounds: [] };
        rows.set(key, row);
        row.rounds.push(await once(entrant, work, round, plan.seconds));
      }
    }
    const sizes = [...new Set(taking.map(({ projects }) => projects.toLocaleString("en")))].join(" and ");
    tell(`${work} at ${sizes} projects: measured ${plan.rounds} times on each of ${taking.length} servers.`);
  }
  return [...rows.values()];
}

/** The most memory that each server took, in bytes. */
export function memoryPeaks(servers: readonly Running[]): Record<string, number> {
  return Object.fromEntries(servers.map((running) => [running.contestant.name, memoryOf(running.processes()).peak]));
}

/** The requests of every connection: the same for every server, others in another round. */
export function requestsOf({ contestant }: Running, work: Work, targets: Targets, round: number): Request[][] {
  return Array.from({ length: connections }, (_, connection) =>
    tasksOf(work, requestsAConnection, targets, round * connections + connection).map((task) => contestant.ask(task)),
  );
}

/** Every other round backwards, and each pair of rounds from another one on. */
function rotated<Item>(items: readonly Item[], round: number): Item[] {
  const from = Math.floor(round / 2) % items.length;
  const order = [...items.slice(from), ...items.slice(0, from)];
  return round % 2 === 0 ? order : order.reverse();
}
