import type { components } from "@project-feedback/spec";
import { invalidInput } from "../domain/errors.ts";
import type { ListOrder, OrderValue, Slice } from "../domain/list-order.ts";
import type { Page } from "../store/page.ts";
import { decodeCursor, encodeCursor, type ValueType } from "./cursor.ts";
import type { Cursors } from "./operation.ts";

/** What the contract defines for every list; defaults are filled in. */
interface ListQuery {
  readonly page?: number;
  readonly perPage?: number;
  readonly cursor?: string;
  readonly order?: "asc" | "desc";
}

interface Entity {
  readonly id: string;
  readonly createdAt: Date;
  /** Value of the order's field. */
  readonly value?: OrderValue | undefined;
}

/** A list: what it holds, and how it is read. */
interface List<Stored extends Entity, Item> {
  readonly order: ListOrder;
  readonly valueType: ValueType;
  /** What tells this list from others of the same operation. */
  readonly filter: unknown;
  read(slice: Slice): Promise<Page<Stored>>;
  item(stored: Stored): Item;
}

/** A page with the cursors of its neighbours (C-LIST-3). */
export interface ListReply<Item> {
  readonly status: 200;
  readonly body: { data: Item[]; pagination: components["schemas"]["Pagination"] };
  readonly cursors: Cursors;
}

/** Pages that several callers share are made into items once. */
const made = new WeakMap<readonly unknown[], readonly unknown[]>();

function itemsOf<Stored, Item>(stored: readonly Stored[], item: (stored: Stored) => Item): Item[] {
  const items = made.get(stored) ?? stored.map(item);
  made.set(stored, items);
  return items as Item[];
}

/** One page of a list with its envelope (S-PAGE-1). A page past the end is empty, and costs no more than its count. */
export async function pageOf<Stored extends Entity, Item>(
  query: ListQuery,
  list: List<Stored, Item>,
): Promise<ListReply<Item>> {
  const { perPage = 20, cursor: text } = query;
  const name = [list.filter, list.order];
  const cursor = text === undefined ? undefined : decodeCursor(text, name, list.valueType);
  const page = cursor?.page ?? query.page ?? 1;
  // One record more than the page has shows whether there is another page.
  const slice: Slice = cursor
    ? { beside: cursor, backward: cursor.backward, limit: perPage + 1 }
    : { skip: (page - 1) * perPage, limit: perPage };
  const { total, items: read } = await list.read(slice);
  const isMore = cursor ? read.length > perPage : page * perPage < total;
  const stored = !cursor || !isMore ? read : cursor.backward ? read.slice(1) : read.slice(0, perPage);
  const backward = cursor?.backward ?? false;
  const [first, last] = [stored[0], stored.at(-1)];
  const beside = (record: Stored, isBackward: boolean) => {
    const { id, createdAt, value } = record;
    const number = Math.max(1, page + (isBackward ? -1 : 1));
    return encodeCursor({ id, createdAt, value, backward: isBackward, page: number }, name);
  };
  const hasNext = backward || isMore;
  const hasPrev = backward ? isMore : page > 1;
  return {
    status: 200,
    body: { data: itemsOf(stored, list.item), pagination: { page, perPage, total } },
    cursors: {
      next: last && hasNext ? beside(last, false) : undefined,
      prev: first && hasPrev ? beside(first, true) : undefined,
    },
  };
}

/**
 * The order that a query asks for. With `updatedAfter`, a list is sorted by its time of change, which an index serves.
 * @throws DomainError `invalid_input` for another order with `updatedAfter` (C-LIST-4)
 */
export function sortFor<Sort extends string>(
  query: { readonly sort?: Sort; readonly updatedAfter?: string },
  byDefault: Sort,
  byUpdate: Sort,
): Sort {
  const { sort = byDefault, updatedAfter } = query;
  if (updatedAfter === undefined || sort === byUpdate) return sort;
  if (sort === byDefault) return byUpdate;
  const message = `must be ${byUpdate} with updatedAfter; leave one of them out`;
  throw invalidInput([{ in: "query", at: "sort", message }]);
}

/** The values of a filter that takes several, separated by commas. The contract has checked each. */
export function valuesOf<Value extends string>(filter: string | undefined): readonly Value[] | undefined {
  return filter === undefined ? undefined : [...new Set(filter.split(",") as Value[])].sort();
}

/** A time of the contract's format. */
export function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
