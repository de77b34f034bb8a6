import { existsSync, readFileSync, renameSync } from "node:fs";

/** Keeps the log of the run before as `<log>.1` and forgets the one before that, so that no more than two are kept. */
export function rotateLog(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.1`);
}

/**
 * The end of mongod's log as lines for a person: its errors if there are any, since a mongod that fails writes dozens
 * of ordinary lines on its way out.
 */
export function endOfLog(path: string, count = 6): string[] {
  const lines = readLines(path);
  const errors = lines.filter(({ severity }) => severity === "E" || severity === "F");
  return (errors.length > 0 ? errors : lines).slice(-count).map(({ text }) => text);
}

/** Whether any line of the log matches. */
export function logSays(path: string, pattern: RegExp): boolean {
  return readLines(path).some(({ text }) => pattern.test(text));
}

function readLines(path: string): { severity: string; text: string }[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(readable);
}

/** mongod logs JSON, {s: severity, msg, attr}; before its log is set up, and from the loader, plain text. */
function readable(line: string): { severity: string; text: string } {
  try {
    const { s, msg, attr } = JSON.parse(line) as { s?: string; msg?: string; attr?: unknown };
    const detail = attr === undefined ? "" : ` ${JSON.stringify(attr)}`;
    return { severity: s ?? "", text: `${msg ?? ""}${detail}`.trim().slice(0, 400) };
  } catch {
    return { severity: "", text: line.slice(0, 400) };
  }
}
