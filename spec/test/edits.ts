import type { Document } from "../document.ts";

/** A change of a document, in place. */
export type Edit = (document: Document) => void;

/** Keys from the document's root to a value. */
export type Path = readonly (string | number)[];

/** A part of a document: an object or a list. */
type Part = Record<string | number, unknown>;

function partAt(document: Document, path: Path): Part {
  let part: unknown = document;
  for (const key of path) part = (part as Part)[key];
  if (typeof part !== "object" || part === null) throw new Error(`There is no object at ${path.join(" / ")}.`);
  return part as Part;
}

function listAt(document: Document, path: Path): unknown[] {
  const list: unknown = partAt(document, path);
  if (!Array.isArray(list)) throw new Error(`There is no list at ${path.join(" / ")}.`);
  return list;
}

/** Removes the value at the path, which must exist. */
export function remove(...path: Path): Edit {
  return (document) => {
    const part = partAt(document, path.slice(0, -1));
    const key = path.at(-1) ?? "";
    if (!Object.hasOwn(part, key)) throw new Error(`There is nothing at ${path.join(" / ")}.`);
    if (Array.isArray(part)) part.splice(Number(key), 1);
    else delete part[key];
  };
}

/** Sets the value at the path, which may be new. */
export function set(value: unknown, ...path: Path): Edit {
  return (document) => {
    partAt(document, path.slice(0, -1))[path.at(-1) ?? ""] = value;
  };
}

/** Renames a key of the object at the path. */
export function rename(from: string, to: string, ...path: Path): Edit {
  return (document) => {
    const part = partAt(document, path);
    if (!Object.hasOwn(part, from)) throw new Error(`${path.join(" / ")} has no ${from}.`);
    part[to] = part[from];
    delete part[from];
  };
}

/** Copies a value to another path. */
export function copy(from: Path, to: Path): Edit {
  return (document) => set(structuredClone(partAt(document, from)), ...to)(document);
}

/** Appends to the list at the path. */
export function append(value: unknown, ...path: Path): Edit {
  return (document) => {
    listAt(document, path).push(value);
  };
}

/** Removes a value from the list at the path. */
export function drop(value: unknown, ...path: Path): Edit {
  return (document) => {
    const list = listAt(document, path);
    const index = list.indexOf(value);
    if (index < 0) throw new Error(`${path.join(" / ")} has no ${value}.`);
    list.splice(index, 1);
  };
}

/** Makes several edits, in order. */
export function all(...edits: Edit[]): Edit {
  return (document) => {
    for (const edit of edits) edit(document);
  };
}
