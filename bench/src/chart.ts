// The results as one SVG picture: a panel for each work and size, a bar for each server, the spread as a line.

import type { Row } from "./measure.ts";
import { type Results, spreadIn } from "./results.ts";
import { works } from "./work.ts";

const panel = { width: 300, bar: 17, gap: 5, head: 26, label: 76, number: 52, foot: 18 };
const colors: Readonly<Record<string, string>> = { ours: "#0b6e4f", floor: "#9aa5b1" };
const otherColor = "#5b7db1";

/** Requests a second of every server, longest first. */
export function chartOf(results: Results): string {
  const sizes = [...new Set(results.rows.map(({ projects }) => projects))];
  const columns = sizes.map((projects) =>
    Object.keys(works).map((work) => results.rows.filter((row) => row.projects === projects && row.work === work)),
  );
  const most = Math.max(...columns.flat().map((rows) => rows.length));
  const height = panel.head + most * (panel.bar + panel.gap) + panel.foot;
  const drawn = columns.flatMap((column, x) =>
    column.map((rows, y) => {
      const [first] = rows;
      if (!first) return "";
      const title = `${works[first.work]} · ${first.projects.toLocaleString("en")} projects`;
      return `<g transform="translate(${x * (panel.width + 16) + 12} ${y * height + 34})">${drawPanel(title, rows)}</g>`;
    }),
  );
  const width = columns.length * (panel.width + 16) + 12;
  const total = Object.keys(works).length * height + 40;
  const { cores, node, mongod } = results.machine;
  const about = `Requests a second, median of ${results.options.rounds} rounds, line from the least to the most. ${cores} cores for all, Node ${node}, mongod ${mongod}.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" font-family="system-ui, sans-serif" font-size="11" fill="#1f2933">`,
    `<title>Requests a second of each server</title><rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="12" y="20">${escaped(about)}</text>`,
    ...drawn,
    "</svg>\n",
  ].join("\n");
}

function drawPanel(title: string, rows: readonly Row[]): string {
  const bars = rows.map((row) => ({ row, ...spreadIn(row, "rate") })).toSorted((a, b) => b.median - a.median);
  const longest = Math.max(...bars.map(({ most }) => most));
  const scale = (panel.width - panel.label - panel.number) / longest;
  const drawn = bars.map(({ row, median, least, most }, place) => {
    const y = panel.head + place * (panel.bar + panel.gap);
    const middle = y + panel.bar / 2;
    const from = panel.label + least * scale;
    const to = panel.label + most * scale;
    return [
      `<text x="${panel.label - 6}" y="${middle + 4}" text-anchor="end">${escaped(row.server)}</text>`,
      `<rect x="${panel.label}" y="${y}" width="${(median * scale).toFixed(1)}" height="${panel.bar}" fill="${colors[row.server] ?? otherColor}"/>`,
      `<line x1="${from.toFixed(1)}" x2="${to.toFixed(1)}" y1="${middle}" y2="${middle}" stroke="#1f2933"/>`,
      `<text x="${(to + 5).toFixed(1)}" y="${middle + 4}">${Math.round(median).toLocaleString("en")}</text>`,
    ].join("");
  });
  return `<text y="16" font-weight="600">${escaped(title)}</text>${drawn.join("")}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
