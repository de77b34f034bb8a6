// The results as Markdown, for the terminal and the page alike.

import { type Bar, barsOf, connectionsText, growthPairs, type Limit, limitsOf, type Mark, ownName } from "./goals.ts";
import { markdown } from "./markdown.ts";
import type { Results, Row } from "./results.ts";
import { byCell, ratio, type Spread, spreadIn, spreadOf } from "./statistics.ts";
import { works } from "./work.ts";

/** Everything that was measured: a table for each cell, growth, start and memory, and at the end the goals. */
export function tablesOf(results: Results): string {
  const cells = byCell(results.rows).map((rows) => cellTable(rows));
  const parts =
    results.compared === undefined
      ? [...cells, growthTable(results), startTable(results), barsTable(results)]
      : [comparisonTable(results, results.compared)];
  return [preface(results), ...parts].filter((part) => part !== "").join("\n\n");
}

/** Where, when and how it was measured. */
export function preface({ at, machine, options }: Results): string {
  const { cores, model, memoryGiB, system, node, mongod, cacheGigabytes } = machine;
  const { rounds, seconds, warmSeconds, firstSeconds, connections } = options;
  return (
    `${at.slice(0, 10)}, ${cores} cores of ${model}, ${memoryGiB} GiB, ${system}; Node ${node}, mongod ${mongod} with ` +
    `${cacheGigabytes} GB of cache. ${rounds} rounds of ${seconds} s with ${connections.join(", ")} connections, each after ` +
    `${warmSeconds} s of warm-up, the first after ${firstSeconds} s more. Figures are medians of the rounds, with the least ` +
    `and the most. A ratio is the median of the ratios of each round, not the ratio of the medians.`
  );
}

function cellTable(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return "";
  const own = rows.find(({ server }) => server === ownName);
  const projects = first.projects.toLocaleString("en");
  const heading = `### ${capital(works[first.work])}, ${projects} projects, ${connectionsText(first.connections)}`;
  const body = rows.map((row) => [
    row.server,
    `${whole(spreadIn(row, "rate").median)} (${range(spreadIn(row, "rate"))})`,
    own && row !== own ? times(ratio(own, row, "rate")) : "",
    whole(spreadIn(row, "serverCpu").median),
    whole(spreadIn(row, "mongodCpu").median),
    spreadIn(row, "p50").median.toFixed(2),
    spreadIn(row, "p99").median.toFixed(2),
  ]);
  const head = ["server", "requests/s", "ours is", "CPU µs/request", "mongod CPU µs/request", "p50 ms", "p99 ms"];
  return `${heading}\n\n${markdown(head, body)}`;
}

function startTable({ startMs, peakBytes }: Results): string {
  const body = Object.entries(startMs).flatMap(([projects, servers]) =>
    Object.entries(servers).map(([server, values]) => [
      Number(projects).toLocaleString("en"),
      server,
      whole(spreadOf(values).median),
      ((peakBytes[projects]?.[server] ?? 0) / 2 ** 20).toFixed(0),
    ]),
  );
  const head = ["projects", "server", "first response after ms", "peak memory MiB"];
  return `### Start and memory\n\n${markdown(head, body)}`;
}

function growthTable({ growth }: Results): string {
  const body = growthPairs(growth).map(({ least, most }) => [
    most.work,
    `${least.projects.toLocaleString("en")} → ${most.projects.toLocaleString("en")}`,
    most.connections.toString(),
    ...(["p50", "serverCpu", "mongodCpu"] as const).map((figure) => times(ratio(most, least, figure))),
  ]);
  if (body.length === 0) return "";
  const head = ["work", "projects", "connections", "p50", "CPU per request", "mongod CPU per request"];
  const about = "Each figure is the median of three processes at each size, round by round.";
  return `### This server at the smallest and the largest size, side by side\n\n${about}\n\n${markdown(head, body)}`;
}

/** This server against tuned Fastify, the floor and the fastest peer, and each goal. */
function barsTable(results: Results): string {
  const bars = barsOf(results).map((bar) => [
    bar.work,
    bar.connections.toString(),
    bar.projects.toLocaleString("en"),
    markText(bar.tuned),
    markText(bar.floor),
    markText(bar.p99),
    bar.peer ? `${bar.peer.server} ${markText(bar.peer)}` : "",
    goalsText(bar),
  ]);
  if (bars.length === 0) return "";
  const head = ["work", "connections", "projects", "ours / tuned Fastify", "ours / floor", "p99, ours / floor"];
  const limits = limitsOf(results).map((each) => [each.name, each.value.toFixed(2), `${each.goal}`, limitText(each)]);
  const about =
    "Ratios of requests per second, and of p99: medians of the rounds' ratios, with the goal where there is one. " +
    "The closest peer is the one with which the ratio is least.";
  const tables = [markdown([...head, "closest peer", "goals"], bars)];
  if (limits.length > 0) tables.push(markdown(["limit", "measured", "at most", "goal"], limits));
  return ["### Bars", about, ...tables].join("\n\n");
}

function markText(mark: Mark | undefined): string {
  if (!mark) return "";
  return `${mark.ratio.median.toFixed(2)}×${mark.goal === undefined ? "" : ` (${mark.goal.toFixed(2)})`}`;
}

function goalsText({ tuned, floor, p99, peer }: Bar): string {
  const missed = Object.entries({ "tuned Fastify": tuned, floor, p99, peer }).filter(([, mark]) => mark?.met === false);
  return missed.length === 0 ? "met" : `MISSED: ${missed.map(([name]) => name).join(", ")}`;
}

function limitText({ met }: Limit): string {
  return met ? "met" : "MISSED";
}

/** This checkout's server against another's. */
function comparisonTable({ rows }: Results, compared: string): string {
  const body = byCell(rows).flatMap((cell) => {
    const [own, other] = [ownName, compared].map((name) => cell.find(({ server }) => server === name));
    if (!own || !other) return [];
    return [
      [
        own.work,
        own.connections.toString(),
        own.projects.toLocaleString("en"),
        whole(spreadIn(other, "rate").median),
        whole(spreadIn(own, "rate").median),
        times(ratio(own, other, "rate")),
        ...(["p50", "p99", "serverCpu", "mongodCpu"] as const).map((figure) =>
          ratio(own, other, figure).median.toFixed(2),
        ),
      ],
    ];
  });
  const head = ["work", "connections", "projects", `${compared} requests/s`, "ours requests/s", "ours is"];
  const heading = `### This checkout's server against that of ${compared}`;
  const about = "Ratios are this checkout's divided by the other's; for all but requests/s, less is better.";
  return [heading, about, markdown([...head, "p50", "p99", "CPU", "mongod CPU"], body)].join("\n\n");
}

const whole = (value: number) => Math.round(value).toString();
const range = ({ least, most }: Spread) => `${whole(least)}–${whole(most)}`;
const times = ({ median, least, most }: Spread) => `${median.toFixed(2)}× (${least.toFixed(2)}–${most.toFixed(2)})`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
