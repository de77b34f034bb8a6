import type { Document } from "mongodb";
import type { ListOrder, Position, Slice } from "../domain/list-order.ts";

/** What an order is served by: the keys of an index from the field of the order on. */
export function orderKeys({ field }: ListOrder): Readonly<Record<string, -1>> {
  return { ...(field && { [field]: -1 as const }), createdAt: -1, _id: -1 };
}

export function sortOf(order: ListOrder): Readonly<Record<string, 1 | -1>> {
  const direction = order.descending ? -1 : 1;
  return Object.fromEntries(Object.keys(orderKeys(order)).map((key) => [key, direction]));
}

/** A range of a list, in its order. */
export interface Range {
  readonly filter: Document;
  readonly sort: Readonly<Record<string, 1 | -1>>;
}

/**
 * The ranges with the records that follow a position, one after the other. Each is one range of an index, so that a page
 * costs the same at any depth: a single condition with alternatives would make mongod read all ties again.
 */
export function rangesAfter(order: ListOrder, { value, createdAt, id }: Position): Range[] {
  const { field, descending } = order;
  const [beyond, from, notBeyond] = descending ? ["$lt", "$lte", "$gte"] : ["$gt", "$gte", "$lte"];
  // Of those created in the same millisecond, the ones beyond the id. $nor is checked on the keys that the range reads.
  const ties = { createdAt: { [from]: createdAt }, $nor: [{ createdAt, _id: { [notBeyond]: id } }] };
  const byCreation = sortOf({ field: undefined, descending });
  if (field === undefined) return [{ filter: ties, sort: byCreation }];
  return [
    // Sorted without the field, whose value is the same in all: else mongod would sort in memory.
    { filter: { [field]: value, ...ties }, sort: byCreation },
    { filter: { [field]: { [beyond]: value } }, sort: sortOf(order) },
  ];
}

/** How one query of a list is restricted and ordered. */
export interface Reading extends Range {
  readonly skip: number;
  readonly limit: number;
}

/** The filter of a list, within the range of one of its queries. */
export function within<Filter extends Document>(filter: Filter, { filter: range }: Reading): Document {
  return Object.keys(range).length === 0 ? filter : { $and: [filter, range] };
}

/** Reads a slice of a list with as few queries as it takes. @param read one query of the list */
export async function readSlice<Item>(
  order: ListOrder,
  slice: Slice,
  read: (reading: Reading) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  if ("skip" in slice) return read({ filter: {}, sort: sortOf(order), skip: slice.skip, limit: slice.limit });
  const { beside, backward, limit } = slice;
  const towards = { ...order, descending: order.descending !== backward };
  const items: Item[] = [];
  for (const range of rangesAfter(towards, beside)) {
    const missing = limit - items.length;
    if (missing > 0) items.push(...(await read({ ...range, skip: 0, limit: missing })));
  }
  return backward ? items.reverse() : items;
}
