import type { ResultPromise } from "./call.ts";
import type { Result } from "./metadata.ts";
import { definedOptions } from "./options.ts";
import type { Page } from "./page.ts";

/**
 * A list: await it for one page, or iterate over it for every record.
 *
 * Records that are created or deleted during an iteration move others between pages. The iteration yields a record that
 * moved to a later page only once, and misses one that moved to a page already read.
 */
export interface List<Item> extends ResultPromise<Page<Item>>, AsyncIterable<Item> {
  /** Iterates over the pages from the requested one to the last, or up to `maxPages`. */
  pages(): AsyncGenerator<Result<Page<Item>>, void, undefined>;
  /**
   * Reads all records, or the first `limit` ones, into an array. It requests no more pages than it needs.
   *
   * @throws TypeError if `limit` is negative or NaN.
   */
  toArray(options?: { readonly limit?: number | undefined }): Promise<Item[]>;
}

/**
 * Creates a list from a function that reads a page.
 *
 * The first page is requested at once; the first iteration starts with it. A list with a cursor is the page of that cursor.
 */
export function list<Item extends { id: string }>(
  read: (page: number | undefined) => ResultPromise<Page<Item>>,
  { page: first = 1, cursor }: { page?: number | undefined; cursor?: string | undefined } = {},
  { maxPages = Infinity }: { maxPages?: number | undefined } = {},
): List<Item> {
  const readPage = (page: number) => read(cursor ? undefined : page);
  const firstPage = readPage(first);
  // A failure is thrown where the list is awaited or iterated, which may be later.
  firstPage.catch(() => {});
  let unused: typeof firstPage | undefined = firstPage;

  async function* pages() {
    for (let number = first; number < first + maxPages; number++) {
      const reading = unused ?? readPage(number);
      unused = undefined;
      const page = await reading;
      yield page;
      const { perPage, total } = page.pagination;
      if (cursor || !page.data.length || number * perPage >= total) return;
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

  async function toArray(options?: { limit?: number | undefined }) {
    const { limit = Infinity } = definedOptions(options);
    const records: Item[] = [];
    if (limit) for await (const item of items()) if (records.push(item) >= limit) break;
    return records;
  }

  return Object.assign(firstPage, { pages, toArray, [Symbol.asyncIterator]: items });
}
