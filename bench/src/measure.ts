// Rounds: every work on every server, the servers in another order each time.

import type { Database } from "../../packages/server/src/store/database.ts";
import type { Request } from "./ask.ts";
import { connections, type Figures, measure } from "./load.ts";
import { memoryOf } from "./processes.ts";
import type { Running } from "./servers.ts";
import { type Targets, targetsOf, tasksOf, type Work } from "./work.ts";

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

/**
 * Measures servers that run on the same data, side by side. `mongod` is its process; `clean` takes away what they wrote.
 */
export async function measureAll(
  database: Database,
  projects: number,
  servers: readonly Running[],
  mongod: number,
  plan: Plan,
  clean: () => Promise<void>,
  tell: (line: string) => void,
): Promise<Row[]> {
  const targets = await targetsOf(database, projects);
  const rows = new Map<string, Row>();
  const once = async (running: Running, work: Work, round: number, seconds: number) => {
    const name = `${work} of ${running.contestant.name} at ${projects} projects`;
    const figures = await measure({
      name,
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
  const takesPart = ({ contestant }: Running, work: Work) => !contestant.leavesOut?.(work, projects);
  for (const running of servers) {
    for (const work of plan.works) if (takesPart(running, work)) await once(running, work, 1_000, plan.firstSeconds);
  }
  for (const work of plan.works) {
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const running of rotated(servers, round)) {
        if (!takesPart(running, work)) continue;
        const { name } = running.contestant;
        const row = rows.get(`${work}/${name}`) ?? { projects, work, server: name, rounds: [] };
        rows.set(`${work}/${name}`, row);
        row.rounds.push(await once(running, work, round, plan.seconds));
      }
    }
    tell(`${work} at ${projects} projects: measured ${plan.rounds} times on each of ${servers.length} servers.`);
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
