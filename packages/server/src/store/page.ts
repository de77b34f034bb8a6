/** One page of a list, and the number of records on all pages. */
export interface Page<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

/** A page that skips more records is read only when the total shows that it exists: skipped index keys cost time too. */
export const maxSpeculativeSkip = 200;
