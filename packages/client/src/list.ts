import type { Result } from "./result.ts";

/** A page of a list, with its envelope (S-PAGE-1). */
export interface Page<Item> {
  /** The records of this page. */
  data: Item[];
  /** Where the page stands among all matches. */
  pagination: { page: number; perPage: number; total: number };
}

/**
 * A list: await it for one page with its envelope, or iterate over it for every record.
 *
 * A record that is created or deleted meanwhile moves the others between the pages. An iteration gives a record that
 * moved to a later page only once; one that moved to a page already read is not seen.
 */
export interface List<Item> extends Promise<Result<Page<Item>>>, AsyncIterable<Item> {
  /** Iterates over the pages, from the one asked for to the last, or to `maxPages`. */
  pages(): AsyncGenerator<Result<Page<Item>>, void, undefined>;
}

/**
 * Makes a list of a function that reads a page.
 *
 * The first page is asked for at once; the first iteration starts with it.
 */
export function list<Item extends { id: string }>(
  read: (page: number) => Promise<Result<Page<Item>>>,
  first = 1,
  maxPages = Infinity,
): List<Item> {
  const awaited = read(first);
  let unused: typeof awaited | undefined = awaited;

  async function* pages() {
    for (let number = first; number < first + maxPages; number++) {
      const page = await (unused ?? read(number));
      unused = undefined;
      yield page;
      const { perPage, total } = page.pagination;
      if (!page.data.length || number * perPage >= total) return;
    }
  }

  async function* items() {
    const seen = new Set<string>();
    for await (const { data } of pages()) {
      for (const item of data) {
        if (!seen.has(item.id)) yield item;
        seen.add(item.id);
      }
    }
  }

  return Object.assign(awaited, { pages, [Symbol.asyncIterator]: items });
}
