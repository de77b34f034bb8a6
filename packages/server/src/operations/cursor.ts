import { hash } from "node:crypto";
import { invalidInput } from "../domain/errors.ts";
import type { OrderValue, Position } from "../domain/list-order.ts";

/** A position in one list, which a client gets and returns as opaque text (C-LIST-3). */
export interface Cursor extends Position {
  /** Whether the page before the position is meant, rather than the one after it. */
  readonly backward: boolean;
  /** Number of the page that the cursor leads to. */
  readonly page: number;
}

/** Type of the order's field; "none" in the order of creation. */
export type ValueType = "none" | "string" | "number" | "date";

type Encoded = [list: string, backward: 0 | 1, page: number, value: OrderValue | null, createdAt: number, id: string];

/** A name for a list: its filters and order. A cursor of another list would skip records. */
function nameOf(list: unknown): string {
  return hash("sha256", JSON.stringify(list), "base64url").slice(0, 12);
}

/** @param list what tells the list from others: its filters and order */
export function encodeCursor(cursor: Cursor, list: unknown): string {
  const { backward, page, value = null, createdAt, id } = cursor;
  const time = value instanceof Date ? value.getTime() : value;
  const encoded = [nameOf(list), backward ? 1 : 0, page, time, createdAt.getTime(), id];
  return Buffer.from(JSON.stringify(encoded)).toString("base64url");
}

/**
 * @param type of the order's field in the list
 * @throws DomainError `invalid_input` for a text that is no cursor of this list
 */
export function decodeCursor(text: string, list: unknown, type: ValueType): Cursor {
  const encoded = parse(text);
  if (!encoded || encoded[0] !== nameOf(list) || !isWellFormed(encoded, type)) {
    const message = "is not a cursor of this list; take it from the Link header, with the same filters and order";
    throw invalidInput([{ in: "query", at: "cursor", message }]);
  }
  const [, backward, page, value, createdAt, id] = encoded;
  const known = type === "date" ? new Date(Number(value)) : (value ?? undefined);
  return { backward: backward === 1, page, value: known, createdAt: new Date(createdAt), id };
}

/** Whether the parts have their types. A client can send anything, and what it sends becomes part of a query. */
function isWellFormed([, , page, value, createdAt, id]: Encoded, type: ValueType): boolean {
  const isPage = Number.isSafeInteger(page) && page > 0;
  const isValue = type === "none" ? value === null : typeof value === (type === "string" ? "string" : "number");
  return isPage && isValue && Number.isSafeInteger(createdAt) && typeof id === "string";
}

function parse(text: string): Encoded | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(parsed) && parsed.length === 6 ? (parsed as Encoded) : undefined;
  } catch {
    // Not JSON, so no cursor: the caller says so.
    return undefined;
  }
}
