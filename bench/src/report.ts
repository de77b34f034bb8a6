// Writes what a run measured: results.json, bars.json, tables.md and the charts.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chartOf } from "./chart.ts";
import { barsOf, limitsOf } from "./goals.ts";
import type { Results } from "./results.ts";
import { tablesOf } from "./tables.ts";

export async function writeReport(results: Results, folder: string): Promise<void> {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("results.json", json(results));
  write("tables.md", `${tablesOf(results)}\n`);
  if (results.compared !== undefined) return;
  write("bars.json", json({ bars: barsOf(results), limits: limitsOf(results) }));
  write("chart.svg", `${await chartOf(results, "light")}\n`);
  write("chart-dark.svg", `${await chartOf(results, "dark")}\n`);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, rounded, 2)}\n`;
}

/** Five digits: more than a measurement means. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(5)) : value;
}
