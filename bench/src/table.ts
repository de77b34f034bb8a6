// The results as Markdown, for the terminal and the page alike.

import type { Row } from "./measure.ts";
import { type Results, ratio, rowOf, type Spread, spreadIn, spreadOf } from "./results.ts";
import { works } from "./work.ts";

/** The server that all are compared with. */
const ours = "ours";

/** All figures: a table for each work and size, then start and memory, then how costs grow with the data. */
export function tablesOf(results: Results): string {
  const groups = Map.groupBy(results.rows, ({ projects, work }) => `${projects}/${work}`);
  return [
    preface(results),
    ...[...groups.values()].map((rows) => workTable(results, rows)),
    startTable(results),
    growthTable(results),
  ].join("\n\n");
}

/** Where, when and how it was measured. */
function preface({ at, machine, options }: Results): string {
  const { cores, model, memoryGiB, system, node, mongod, cacheGigabytes } = machine;
  const { rounds, seconds, warmSeconds, firstSeconds, connections } = options;
  return (
    `${at.slice(0, 10)}, ${cores} cores of ${model}, ${memoryGiB} GiB, ${system}; Node ${node}, mongod ${mongod} with ` +
    `${cacheGigabytes} GB of cache. ${rounds} rounds of ${seconds} s with ${connections} connections, each after ` +
    `${warmSeconds} s that do not count, the first after ${firstSeconds} s more. Medians, and the least and the most; ` +
    `“${ours} is” has the median of the rounds' ratios, not the ratio of the medians.`
  );
}

function workTable(results: Results, rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return "";
  const own = rowOf(results, first.projects, first.work, ours);
  const heading = `### ${capital(works[first.work])}, ${first.projects.toLocaleString("en")} projects`;
  const body = rows.map((row) => {
    const against = own && row !== own ? times(ratio(own, row, "rate")) : "";
    return [
      row.server,
      `${whole(spreadIn(row, "rate").median)} (${range(spreadIn(row, "rate"))})`,
      against,
      whole(spreadIn(row, "serverCpu").median),
      whole(spreadIn(row, "mongodCpu").median),
      spreadIn(row, "p50").median.toFixed(1),
      spreadIn(row, "p99").median.toFixed(1),
    ];
  });
  const head = ["server", "requests/s", `${ours} is`, "CPU µs/request", "mongod CPU µs/request", "p50 ms", "p99 ms"];
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
  return `### Start and memory\n\n${markdown(["projects", "server", "first answer after ms", "peak memory MiB"], body)}`;
}

/** How p50 and processor time of this server change from the fewest projects to more. */
function growthTable({ growth }: Results): string {
  const body = [...Map.groupBy(growth, ({ work }) => work)].flatMap(([work, rows]) => {
    const [least, ...more] = rows.toSorted((a, b) => a.projects - b.projects);
    return more.map((row) => [
      work,
      `${least?.projects.toLocaleString("en")} → ${row.projects.toLocaleString("en")}`,
      ...(["p50", "serverCpu", "mongodCpu"] as const).map((figure) => times(ratio(row, least ?? row, figure))),
    ]);
  });
  if (body.length === 0) return "";
  const head = ["work", "projects", "p50", "CPU a request", "mongod's CPU a request"];
  const about = "Of each figure the median of several processes at each size, round by round.";
  return `### This server at the least and the largest size, side by side\n\n${about}\n\n${markdown(head, body)}`;
}

/** A table, its first column to the left and the others to the right. */
export function markdown(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

const whole = (value: number) => Math.round(value).toString();
const range = ({ least, most }: Spread) => `${whole(least)}–${whole(most)}`;
const times = ({ median, least, most }: Spread) => `${median.toFixed(2)}× (${least.toFixed(2)}–${most.toFixed(2)})`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
