// What this server is measured against, and where a run meets it.

import type { Cell, Results, Row } from "./results.ts";
import { byCell, ratio, type Spread } from "./statistics.ts";
import type { Work } from "./work.ts";

/** The server whose ratios are reported. */
export const ownName = "ours";
/** Servers that are this one, or do less than the full job. */
const notPeers: ReadonlySet<string> = new Set([ownName, "floor", "workers", "pair"]);

const mostConnectionsOfFew = 8;
/** Requests per second as a part of another server's, at least. */
const atFewConnections: Readonly<Record<Work, { readonly tuned: number; readonly floor?: number }>> = {
  detail: { tuned: 1, floor: 0.8 },
  list: { tuned: 1, floor: 0.8 },
  search: { tuned: 0.9 },
  feedback: { tuned: 1, floor: 0.8 },
  // Tuned Fastify keeps no totals.
  create: { tuned: 0.7 },
  submit: { tuned: 1 },
  mix: { tuned: 1 },
};
/** The same at 64 connections, where work that arrives together is shared: 95 % of what was reached in November 2026. */
const atManyConnections: Readonly<Record<Work, number>> = {
  ...{ detail: 6.18, list: 3.14, search: 1.33, feedback: 1.52 },
  ...{ create: 1.9, submit: 4.18, mix: 2 },
};
/** p99 at 1 connection as a multiple of the floor's, at most. */
const mostP99 = 2;
/** p50 at the largest size as a multiple of p50 at the smallest, at most. */
const mostGrowth = 1.25;
const mostMebibytes = 200;

/** A ratio, and the goal that it is held against; the goal is undefined where there is none. */
export interface Mark {
  readonly ratio: Spread;
  readonly goal: number | undefined;
  readonly met: boolean;
}

/** This server against others in one cell. */
export interface Bar extends Cell {
  /** Requests per second against tuned Fastify's. */
  readonly tuned?: Mark;
  readonly floor?: Mark;
  /** Requests per second against those of the fastest peer. */
  readonly peer?: Mark & { readonly server: string };
  /** Against the floor's. */
  readonly p99?: Mark;
}

/** Growth and memory, for which there is one figure a row or a size. */
export interface Limit {
  readonly name: string;
  readonly value: number;
  readonly goal: number;
  readonly met: boolean;
}

/** Whether a server does the full job in another way. */
export function isPeer(server: string): boolean {
  return !notPeers.has(server);
}

/** A bar for each cell in which this server was measured. */
export function barsOf({ rows }: Results): Bar[] {
  return byCell(rows).flatMap((cell) => {
    const own = cell.find(({ server }) => server === ownName);
    return own ? [barOf(own, cell)] : [];
  });
}

function barOf(own: Row, cell: readonly Row[]): Bar {
  const { projects, work, connections } = own;
  const few = connections <= mostConnectionsOfFew;
  const goals = few ? atFewConnections[work] : { tuned: atManyConnections[work], floor: undefined };
  const [tuned, floor] = ["fastify-tuned", "floor"].map((name) => cell.find(({ server }) => server === name));
  const peers = cell.filter(({ server }) => isPeer(server));
  const [closest] = peers
    .map((row) => ({ server: row.server, rate: ratio(own, row, "rate") }))
    .toSorted((a, b) => a.rate.median - b.rate.median);
  return {
    ...{ projects, work, connections },
    ...(tuned && { tuned: atLeast(ratio(own, tuned, "rate"), goals.tuned) }),
    ...(floor && { floor: atLeast(ratio(own, floor, "rate"), goals.floor) }),
    ...(closest && { peer: { server: closest.server, ...atLeast(closest.rate, few ? undefined : 1) } }),
    ...(floor && { p99: atMost(ratio(own, floor, "p99"), connections === 1 ? mostP99 : undefined) }),
  };
}

/** How p50 grows with the data, and this server's peak memory. */
export function limitsOf({ growth, peakBytes }: Results): Limit[] {
  const grown = growthPairs(growth).map(({ least, most }) => {
    const name = `growth of p50, ${most.work} at ${connectionsText(most.connections)}`;
    return limit(name, ratio(most, least, "p50").median, mostGrowth);
  });
  const memory = Object.entries(peakBytes).flatMap(([projects, servers]) => {
    const bytes = servers[ownName];
    const name = `peak memory in MiB at ${Number(projects).toLocaleString("en")} projects`;
    return bytes === undefined ? [] : [limit(name, bytes / 2 ** 20, mostMebibytes)];
  });
  return [...grown, ...memory];
}

/** For each work and number of connections: the row of the smallest size, and that of the largest. */
export function growthPairs(growth: readonly Row[]): { least: Row; most: Row }[] {
  return [...Map.groupBy(growth, ({ work, connections }) => `${work}/${connections}`).values()].flatMap((rows) => {
    const sorted = rows.toSorted((a, b) => a.projects - b.projects);
    const [least, most] = [sorted[0], sorted.at(-1)];
    return least && most && least !== most ? [{ least, most }] : [];
  });
}

export function connectionsText(connections: number): string {
  return connections === 1 ? "1 connection" : `${connections} connections`;
}

function atLeast(found: Spread, goal: number | undefined): Mark {
  return { ratio: found, goal, met: goal === undefined || found.median >= goal };
}

function atMost(found: Spread, goal: number | undefined): Mark {
  return { ratio: found, goal, met: goal === undefined || found.median <= goal };
}

function limit(name: string, value: number, goal: number): Limit {
  return { name, value, goal, met: value <= goal };
}
