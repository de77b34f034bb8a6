import type { Pagination } from "./generated/models.ts";

/** A page of a list (S-PAGE-1). */
export interface Page<Item> {
  /** The records of this page. */
  data: Item[];
  /** The position of the page and the number of all matches. */
  pagination: Pagination;
}
