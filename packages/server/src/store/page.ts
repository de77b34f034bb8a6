import type { Slice } from "../domain/list-order.ts";

/** One page of a list, and the number of records on all pages. */
export interface Page<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

/** A page that skips more records is read only when the total shows that it exists: skipped index keys cost time too. */
const maxSpeculativeSkip = 200;

/** Whether a slice is read before the total of its list is known. */
export function isSpeculative(slice: Slice): boolean {
  return !("skip" in slice) || slice.skip <= maxSpeculativeSkip;
}
