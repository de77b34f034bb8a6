import type { Fault } from "../domain/errors.ts";

// A string, a structural character, or a number, true, false or null.
const token = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s"{}[\],:]+/g;

/**
 * Finds member names that an object of a JSON text has twice, which JSON.parse does not tell (C-STRICT-1; RFC 8259
 * section 4).
 * @param text valid JSON
 * @param parsed the value that JSON.parse makes of it
 */
export function duplicateMembers(text: string, parsed: unknown): Fault[] {
  // A duplicate is lost when the text is parsed. Counting members costs little; the search for names runs only then.
  return membersOf(text) === membersIn(parsed) ? [] : search(text);
}

/** Number of member names in the text: strings followed by a colon. */
function membersOf(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    let next = end + 1;
    while (isSpace(text.charCodeAt(next))) next += 1;
    if (text[next] === ":") count += 1;
    start = text.indexOf('"', next);
  }
  return count;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === "\\") before -= 1;
  return (at - before) % 2 === 1;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Number of members of all objects in a value. Without recursion: a body may be nested as deep as it is long. */
function membersIn(root: unknown): number {
  const open = [root];
  let count = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const inner = Object.values(value);
    if (!Array.isArray(value)) count += inner.length;
    for (const each of inner) if (typeof each === "object" && each !== null) open.push(each);
  }
  return count;
}

/** An object or array that the search is in. */
interface Level {
  readonly pointer: string;
  /** Names of an object so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The member or item that is read. */
  key: string;
  index: number;
  expectsName: boolean;
}

function search(text: string): Fault[] {
  const faults: Fault[] = [];
  const levels: Level[] = [];
  for (const [part] of text.matchAll(token)) {
    const level = levels.at(-1);
    if (part === "{" || part === "[") {
      const pointer = level ? `${level.pointer}/${level.key}` : "";
      const isObject = part === "{";
      levels.push({ pointer, names: isObject ? new Set() : undefined, key: "0", index: 0, expectsName: isObject });
    } else if (part === "}" || part === "]") levels.pop();
    else if (part === ",") next(level);
    else if (level?.expectsName && level.names) {
      const name: string = JSON.parse(part);
      level.key = name.replaceAll("~", "~0").replaceAll("/", "~1");
      level.expectsName = false;
      if (level.names.has(name))
        faults.push({ in: "body", at: `${level.pointer}/${level.key}`, message: "is given twice" });
      level.names.add(name);
    }
  }
  return faults;
}

function next(level: Level | undefined): void {
  if (!level) return;
  level.index += 1;
  if (level.names) level.expectsName = true;
  else level.key = String(level.index);
}
