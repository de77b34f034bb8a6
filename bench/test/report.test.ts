import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { chartOf } from "../src/chart.ts";
import { barsOf, limitsOf } from "../src/goals.ts";
import { readSection } from "../src/marked-section.ts";
import type { Results, Row } from "../src/results.ts";
import { servers } from "../src/servers.ts";
import { mergeProcesses, ratio } from "../src/statistics.ts";
import { summaryOf } from "../src/summary.ts";
import { tablesOf } from "../src/tables.ts";
import { type Work, works } from "../src/work.ts";

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const published = JSON.parse(readFileSync(pathTo("../results/results.json"), "utf8")) as Results;
const figures = { serverCpu: 100, mongodCpu: 100, p50: 2, p99: 10, failures: 0 };

/** A row with a rate for each round. */
function rowWith(server: string, rates: readonly number[], cell: Partial<Row> = {}): Row {
  const rounds = rates.map((rate, round) => ({ ...figures, round, rate }));
  return { projects: 1_000, work: "detail", connections: 1, server, rounds, ...cell };
}

function resultsWith(rows: readonly Row[], growth: readonly Row[] = []): Results {
  return { ...published, rows, growth, peakBytes: {} };
}

describe("the published results", () => {
  test("are those of the README", () => {
    expect(readSection(pathTo("../README.md"), "results")).toBe(summaryOf(published));
  });

  test("are those of the tables", () => {
    expect(readFileSync(pathTo("../results/tables.md"), "utf8")).toBe(`${tablesOf(published)}\n`);
  });

  test.each([
    ["light", "chart.svg"],
    ["dark", "chart-dark.svg"],
  ] as const)("are those of the %s chart", async (theme, file) => {
    expect(readFileSync(pathTo(`../results/${file}`), "utf8")).toBe(`${await chartOf(published, theme)}\n`);
  });
});

describe("ratios", () => {
  const ours = rowWith("ours", [100, 300, 200]);

  test("are medians of the ratios of each round, not ratios of medians", () => {
    const other = rowWith("floor", [100, 100, 400]);
    expect(ratio(ours, other, "rate")).toEqual({ median: 1, least: 0.5, most: 3 });
  });

  test("compare a server that is measured in some rounds within these", () => {
    const { rounds } = rowWith("hono", [50, 1, 50]);
    const other = { ...rowWith("hono", []), rounds: rounds.filter(({ round }) => round !== 1) };
    expect(ratio(ours, other, "rate")).toEqual({ median: 3, least: 2, most: 4 });
  });

  test("of several processes use the median of each round", () => {
    const merged = mergeProcesses([rowWith("ours", [1, 10]), rowWith("ours", [2, 30]), rowWith("ours", [9, 20])]);
    expect(merged.map(({ rounds }) => rounds.map(({ rate }) => rate))).toEqual([[2, 20]]);
  });
});

describe("goals", () => {
  test("are missed below the ratio to tuned Fastify and to the floor, and met at it", () => {
    const rows = [rowWith("ours", [80]), rowWith("floor", [100]), rowWith("fastify-tuned", [81])];
    const [bar] = barsOf(resultsWith(rows));
    expect(bar).toMatchObject({ tuned: { goal: 1, met: false }, floor: { goal: 0.8, met: true } });
  });

  test("name the peer with the least ratio, among peers alone", () => {
    const rows = [rowWith("ours", [80]), rowWith("floor", [100]), rowWith("hono", [90]), rowWith("express", [20])];
    expect(barsOf(resultsWith(rows))[0]?.peer).toMatchObject({ server: "hono", ratio: { median: 80 / 90 } });
  });

  test("are missed where p50 grows by more than a quarter", () => {
    const grown = {
      ...rowWith("ours", []),
      projects: 1_000_000,
      rounds: [{ ...figures, round: 0, rate: 1, p50: 2.6 }],
    };
    expect(limitsOf(resultsWith([], [rowWith("ours", [1]), grown]))).toMatchObject([{ value: 1.3, met: false }]);
  });
});

describe("the summary", () => {
  test("lists each row in which a peer is faster", () => {
    const rows = [rowWith("ours", [80]), rowWith("floor", [100]), rowWith("hono", [90]), rowWith("express", [20])];
    const other = rows.map((row) => ({ ...row, work: "list" as const, rounds: [{ ...figures, round: 0, rate: 80 }] }));
    const text = summaryOf(resultsWith([...rows, ...other]));
    expect(text).toContain("ahead of every peer in 1 of 2 rows, and ahead of the floor in 1.");
    expect(text).toContain("- project detail, 1 connection, 1,000 projects: 0.89× hono");
    expect(text).not.toContain("express\n- ");
  });
});

describe("the chart of a full run", () => {
  const rows = [1_000, 1_000_000].flatMap((projects) =>
    (Object.keys(works) as Work[]).flatMap((work) =>
      [1, 8, 64].flatMap((connections) =>
        [...servers.keys()].map((server, place) =>
          rowWith(server, [9_000, 10_000 - place], { projects, work, connections }),
        ),
      ),
    ),
  );

  test.each(["light", "dark"] as const)("has no text over another, in %s colors", async (theme) => {
    const texts = textsOf(await chartOf(resultsWith(rows), theme));
    expect(texts.length).toBeGreaterThan(rows.length);
    const overlaps = texts.flatMap((a, place) =>
      texts.slice(place + 1).flatMap((b) => (overlap(a, b) ? [`${a.text} / ${b.text}`] : [])),
    );
    expect(overlaps).toEqual([]);
  });
});

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The texts of an SVG with their places: groups only move their content. */
function textsOf(svg: string): Box[] {
  const offsets: (readonly [number, number])[] = [[0, 0]];
  const boxes: Box[] = [];
  for (const [tag, text] of svg.matchAll(/<\/g>|<g\b[^>]*>|<text\b[^>]*>([^<]*)/g)) {
    const [x, y] = offsets.at(-1) ?? [0, 0];
    const [, dx = "0", dy = "0"] = /translate\(([-\d.]+),([-\d.]+)\)/.exec(tag) ?? [];
    const place = [x + Number(dx), y + Number(dy)] as const;
    if (tag === "</g>") offsets.pop();
    else if (text === undefined) offsets.push(place);
    else if (text !== "") boxes.push(boxOf(text, tag, place));
  }
  return boxes;
}

function boxOf(text: string, tag: string, [x, y]: readonly [number, number]): Box {
  const size = Number(/font-size="([\d.]+)px"/.exec(tag)?.[1]);
  // 0.6 em is the mean width of a character in common sans-serif fonts, bold ones included.
  const width = text.length * size * 0.6;
  const anchor = /text-anchor="(\w+)"/.exec(tag)?.[1] ?? "start";
  const left = x - { start: 0, middle: width / 2, end: width }[anchor as "start" | "middle" | "end"];
  // From the top of a capital letter to the baseline.
  return { text, left, right: left + width, top: y - size * 0.75, bottom: y };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
