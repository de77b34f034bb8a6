import type { components } from "@project-feedback/spec";
import type { Page } from "../store/page.ts";

/** Pages that several callers share are made into items once. */
const made = new WeakMap<readonly unknown[], readonly unknown[]>();

function itemsOf<Entity, Item>(entities: readonly Entity[], item: (entity: Entity) => Item): Item[] {
  const items = made.get(entities) ?? entities.map(item);
  made.set(entities, items);
  return items as Item[];
}

/**
 * One page with its envelope (S-PAGE-1). A page past the end is empty, and costs no more than its count (C-LIST-1).
 * @param read answers the page of `limit` records after the first `skip`
 */
export async function pageOf<Entity, Item>(
  query: { readonly page?: number; readonly perPage?: number },
  read: (skip: number, limit: number) => Promise<Page<Entity>>,
  item: (entity: Entity) => Item,
): Promise<{ data: Item[]; pagination: components["schemas"]["Pagination"] }> {
  const { page = 1, perPage = 20 } = query;
  const { total, items } = await read((page - 1) * perPage, perPage);
  return { data: itemsOf(items, item), pagination: { page, perPage, total } };
}
