import type { Report } from "../engine/report.ts";
import { badge } from "./badge.ts";
import { html } from "./html.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";

const writers = {
  json: (report: Report) => `${JSON.stringify(report, null, 2)}\n`,
  junit,
  html,
  markdown,
  badge,
};

export type ReportKind = keyof typeof writers;
export const reportKinds = Object.keys(writers) as ReportKind[];

/** A report as text of some kind. */
export const written = (kind: ReportKind, report: Report): string => writers[kind](report);
