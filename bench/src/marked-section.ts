import { readFileSync, writeFileSync } from "node:fs";

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->` in a Markdown file. @throws Error where a marker is missing */
export function writeSection(path: string, name: string, text: string): void {
  const page = readFileSync(path, "utf8");
  const { from, to } = placeOf(page, name, path);
  writeFileSync(path, `${page.slice(0, from)}\n\n${text}\n\n${page.slice(to)}`);
}

/** What stands between the markers. @throws Error where a marker is missing */
export function readSection(path: string, name: string): string {
  const page = readFileSync(path, "utf8");
  const { from, to } = placeOf(page, name, path);
  return page.slice(from, to).trim();
}

function placeOf(page: string, name: string, path: string): { from: number; to: number } {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`${path} has no ${begin} … ${end}.`);
  return { from, to };
}
