import type { Result } from "./metadata.ts";

/** A page of a list (S-PAGE-1). */
export interface Page<Item> {
  /** The records of this page. */
  data: Item[];
  /** The position of the page and the number of all matches. */
  pagination: { page: number; perPage: number; total: number };
}

/**
 * A list: await it for one page, or iterate over it for every record.
 *
 * Records that are created or deleted during an iteration move others between pages. The iteration yields a record that
 * moved to a later page only once, and misses one that moved to a page already read.
 */
export interface List<Item> extends Promise<Result<Page<Item>>>, AsyncIterable<Item> {
  /** Iterates over the pages from the requested one to the last, or up to `maxPages`. */
  pages(): AsyncGenerator<Result<Page<Item>>, void, undefined>;
}

/**
 * Creates a list from a function that reads a page.
 *
 * The first page is requested at once; the first iteration starts with it.
 */
export function list<Item extends { id: string }>(
  read: (page: number) => Promise<Result<Page<Item>>>,
  first = 1,
  maxPages = Infinity,
): List<Item> {
  const firstPage = read(first);
  let unused: typeof firstPage | undefined = firstPage;

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

  return Object.assign(firstPage, { pages, [Symbol.asyncIterator]: items });
}
