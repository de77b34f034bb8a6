import { existsSync, readFileSync, renameSync } from "node:fs";

/** Renames the log of the previous run to `<log>.1`, replacing the one before it: at most two logs are kept. */
export function rotateLog(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.1`);
}

/**
 * The end of mongod's log, as lines for people: only its errors if there are any, because a failing mongod writes dozens
 * of ordinary lines after them.
 */
export function endOfLog(path: string, count = 6): string[] {
  const lines = readLines(path);
  const errors = lines.filter(({ severity }) => severity === "E" || severity === "F");
  return (errors.length > 0 ? errors : lines).slice(-count).map(({ text }) => text.slice(0, 400));
}

/** Whether any line of the log matches. */
export function logMatches(path: string, pattern: RegExp): boolean {
  return readLines(path).some(({ text }) => pattern.test(text));
}

interface LogLine {
  severity: string;
  text: string;
}

function readLines(path: string): LogLine[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(parseLine);
}

/** mongod logs JSON, {s: severity, msg, attr}. The loader, and mongod before it has opened its log, write plain text. */
function parseLine(line: string): LogLine {
  try {
    const { s, msg, attr } = JSON.parse(line) as { s?: string; msg?: string; attr?: unknown };
    const detail = attr === undefined ? "" : ` ${JSON.stringify(attr)}`;
    return { severity: s ?? "", text: `${msg ?? ""}${detail}`.trim() };
  } catch {
    return { severity: "", text: line };
  }
}
