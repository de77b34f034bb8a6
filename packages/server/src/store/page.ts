/** One page of a list, and how many there are on all pages. */
export interface Page<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}
