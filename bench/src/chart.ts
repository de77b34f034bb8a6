// The results as pictures: a panel for each work and number of connections, a bar for each server.

import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { connectionsText } from "./goals.ts";
import type { Results } from "./results.ts";
import { spreadIn } from "./statistics.ts";

/** Colors of a page with a light or a dark background. */
export type Theme = "light" | "dark";

const colors = {
  light: {
    background: "#ffffff",
    text: "#1f2328",
    grid: "#d1d9e0",
    ours: "#0b6e4f",
    floor: "#9aa5b1",
    other: "#5b7db1",
  },
  dark: {
    background: "#0d1117",
    text: "#f0f6fc",
    grid: "#3d444d",
    ours: "#3fb68b",
    floor: "#7d8590",
    other: "#7aa2d8",
  },
} as const;
const panelWidth = 190;
const barStep = 14;

/** An SVG: requests per second of every server, with the range of the rounds as a line. */
export function chartOf(results: Results, theme: Theme): Promise<string> {
  const { spec } = compile(specOf(results, theme));
  return new View(parse(spec), { renderer: "none" }).toSVG();
}

function specOf(results: Results, theme: Theme): TopLevelSpec {
  const { background, text, grid, ours, floor, other } = colors[theme];
  const values = results.rows.map((row) => {
    const { median, least, most } = spreadIn(row, "rate");
    const { server, projects, connections, work } = row;
    return { server, projects, connections, work, median, least, most };
  });
  const distinct = <Value>(pick: (row: (typeof values)[number]) => Value) => [...new Set(values.map(pick))];
  const servers = distinct(({ server }) => server);
  const panel = (projects: number, work: (typeof values)[number]["work"], connections: number) => {
    const own = values.filter(
      (row) => row.projects === projects && row.work === work && row.connections === connections,
    );
    const fastestFirst = own.toSorted((a, b) => b.median - a.median).map(({ server }) => server);
    const most = Math.max(...own.map((row) => row.most));
    return {
      title: `${work}, ${connectionsText(connections)}`,
      data: { values: own },
      width: panelWidth,
      height: { step: barStep },
      encoding: {
        y: { field: "server", type: "nominal", sort: fastestFirst, title: null },
        // A quarter more than the longest bar leaves room for its figure.
        x: { type: "quantitative", scale: { domain: [0, most * 1.25] }, axis: null },
      },
      layer: [
        {
          mark: { type: "bar", height: { band: 0.75 } },
          encoding: {
            x: { field: "median" },
            color: {
              field: "server",
              scale: {
                domain: servers,
                range: servers.map((name) => (name === "ours" ? ours : name === "floor" ? floor : other)),
              },
              legend: null,
            },
          },
        },
        { mark: { type: "rule", color: text }, encoding: { x: { field: "least" }, x2: { field: "most" } } },
        {
          mark: { type: "text", align: "left", dx: 4, color: text, fontSize: 10 },
          encoding: { x: { field: "most" }, text: { field: "median", format: ",.0f" } },
        },
      ],
    };
  };
  const { rounds } = results.options;
  const { cores, node, mongod } = results.machine;
  const spec = {
    background,
    padding: 12,
    title: {
      text: "Requests per second",
      subtitle: `Median of ${rounds} rounds, line from the least to the most. ${cores} cores for all, Node ${node}, mongod ${mongod}.`,
    },
    vconcat: distinct(({ projects }) => projects).map((projects) => ({
      title: { text: `${projects.toLocaleString("en")} projects`, fontSize: 14 },
      concat: distinct(({ work }) => work).flatMap((work) =>
        distinct(({ connections }) => connections).map((connections) => panel(projects, work, connections)),
      ),
      columns: distinct(({ connections }) => connections).length,
      spacing: 20,
    })),
    spacing: 40,
    config: {
      font: "system-ui, sans-serif",
      title: { color: text, subtitleColor: text, anchor: "start", fontSize: 11 },
      axis: { labelColor: text, tickColor: grid, domainColor: grid, grid: false, labelFontSize: 10 },
      view: { stroke: null },
    },
  };
  return spec as TopLevelSpec;
}
