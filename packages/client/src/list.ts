import type { ResultPromise } from "./call.ts";
import type { Result } from "./metadata.ts";
import { definedOptions } from "./options.ts";
import type { Page } from "./page.ts";

/**
 * A list: await it for one page, or iterate over it for every record.
 *
 * An iteration follows the cursors of the `Link` header (C-LIST-3): whatever is written meanwhile, it neither repeats nor
 * skips a record that does not change. If the server sends none, it counts pages; it then yields a record that moved to a
 * later page only once, and misses one that moved to a page already read.
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

/** Where a page is: by its cursor, or else by its number. */
interface Position {
  page?: number | undefined;
  cursor?: string | undefined;
}

/** The cursor of the next page, from a `Link` header (RFC 8288). Only the cursor is used, never the address. */
const NEXT = /[?&]cursor=([^&>]+)[^>]*>;[^<]*rel="?next/;

/** A cursor excludes a page number. */
const atCursor = (cursor: string): Position => ({ page: undefined, cursor });

/**
 * Creates a list from a function that reads a page.
 *
 * The first page is requested at once; the first iteration starts with it.
 */
export function list<Item extends { id: string }>(
  read: (at: Position) => ResultPromise<Page<Item>>,
  { page = 1, cursor }: Position = {},
  { maxPages = Infinity }: { maxPages?: number | undefined } = {},
): List<Item> {
  const first = cursor ? atCursor(cursor) : { page };
  const firstPage = read(first);
  // A failure is thrown where the list is awaited or iterated, which may be later.
  firstPage.catch(() => {});
  let unused: typeof firstPage | undefined = firstPage;

  async function* pages() {
    let at: Position = first;
    for (let number = page, readPages = 0; readPages < maxPages; readPages++) {
      const reading = unused ?? read(at);
      unused = undefined;
      const { data, response } = await reading.withResponse();
      yield data;
      const next = NEXT.exec(response.headers.get("link") ?? "")?.[1];
      const { perPage, total } = data.pagination;
      const isLast = at.cursor ? !next || next === at.cursor : !next && number * perPage >= total;
      if (isLast || !data.data.length) return;
      at = next ? atCursor(decodeURIComponent(next)) : { page: ++number };
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
