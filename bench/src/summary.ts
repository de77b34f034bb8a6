// Where this server leads and where it does not, as the README says it.

import { barsOf, connectionsText, isPeer, ownName } from "./goals.ts";
import { markdown } from "./markdown.ts";
import type { Results, Row } from "./results.ts";
import { byCell, ratio, spreadIn } from "./statistics.ts";
import { preface } from "./tables.ts";
import { works } from "./work.ts";

/** The figures of this server for each size, and every row in which another server is faster. */
export function summaryOf(results: Results): string {
  const sizes = [...new Set(results.rows.map(({ projects }) => projects))];
  return [preface(results), ...sizes.map((projects) => sizeTable(results, projects)), leadText(results)].join("\n\n");
}

function sizeTable(results: Results, projects: number): string {
  const bars = barsOf(results).filter((bar) => bar.projects === projects);
  const figure = (row: Row | undefined, name: "p50" | "p99") => (row ? spreadIn(row, name).median.toFixed(2) : "");
  const body = bars.map(({ work, connections, tuned, floor, peer }) => {
    const cell = results.rows.filter((row) => {
      return row.projects === projects && row.work === work && row.connections === connections;
    });
    const own = cell.find(({ server }) => server === ownName);
    const least = cell.find(({ server }) => server === "floor");
    return [
      works[work],
      connections.toString(),
      own ? Math.round(spreadIn(own, "rate").median).toLocaleString("en") : "",
      ...[tuned, floor].map((mark) => (mark ? `${mark.ratio.median.toFixed(2)}×` : "–")),
      peer ? `${peer.ratio.median.toFixed(2)}× ${peer.server}` : "–",
      ...(["p50", "p99"] as const).map((name) => `${figure(own, name)} (${figure(least, name)})`),
    ];
  });
  const head = ["work", "connections", "requests/s", "÷ tuned Fastify", "÷ floor", "÷ closest peer"];
  const heading = `### ${projects.toLocaleString("en")} projects`;
  return `${heading}\n\n${markdown([...head, "p50 ms (floor)", "p99 ms (floor)"], body)}`;
}

/** How many rows this server leads, and a line for each in which it does not. */
function leadText(results: Results): string {
  const rows = byCell(results.rows).flatMap((cell) => {
    const own = cell.find(({ server }) => server === ownName);
    if (!own) return [];
    const faster = (rows: readonly Row[]) =>
      rows.flatMap((row) => {
        const found = ratio(own, row, "rate").median;
        return found < 1 ? [`${found.toFixed(2)}× ${row.server}`] : [];
      });
    const peers = faster(cell.filter(({ server }) => isPeer(server)));
    const floor = faster(cell.filter(({ server }) => server === "floor"));
    return [{ own, peers, floor }];
  });
  const label = ({ work, connections, projects }: Row) =>
    `${works[work]}, ${connectionsText(connections)}, ${projects.toLocaleString("en")} projects`;
  const behind = rows.filter(({ peers }) => peers.length > 0);
  const underFloor = rows.filter(({ floor }) => floor.length > 0).length;
  const ahead = `It is ahead of every peer in ${rows.length - behind.length} of ${rows.length} rows, and ahead of the floor in ${rows.length - underFloor}.`;
  const lines = behind.map(({ own, peers }) => `- ${label(own)}: ${peers.join(", ")}`);
  const parts = lines.length > 0 ? [`${ahead} A peer is faster in:`, lines.join("\n")] : [ahead];
  return ["### Where this server leads, and where it does not", ...parts].join("\n\n");
}
