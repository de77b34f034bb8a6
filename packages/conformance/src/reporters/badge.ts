import type { Report } from "../engine/report.ts";
import { coverageLine, escaped, verdictText } from "./text.ts";

/** An SVG of two fields. */
export function badge(report: Report): string {
  const label = "project feedback v1";
  const { ran, stated } = report.coverage;
  const value = `${verdictText(report)}, ${ran} of ${stated}`;
  const color = {
    conforms: "#2a7d2e",
    incomplete: "#6b6b6b",
    "does not conform": "#b3261e",
    "could not run": "#6b6b6b",
  }[report.verdict];
  // Verdana at 11 px is about 6.6 px a letter; textLength makes it exact.
  const [left, right] = [label, value].map((text) => Math.round(text.length * 6.6) + 12) as [number, number];
  const text = (at: number, width: number, words: string) =>
    `<text x="${at + width / 2}" y="14" textLength="${width - 12}" lengthAdjust="spacingAndGlyphs">${escaped(words)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escaped(`${label}: ${value}`)}">
<title>${escaped(`${label}: ${value} (${coverageLine(report)}; ${report.suite.version}, ${report.startedAt.slice(0, 10)})`)}</title>
<clipPath id="c"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#c)"><rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${color}"/></g>
<g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11" text-anchor="middle">${text(0, left, label)}${text(left, right, value)}</g>
</svg>
`;
}
