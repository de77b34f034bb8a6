import type { components } from "@project-feedback/spec";
import type { Page } from "../store/page.ts";

/** The items of pages that several callers share are created once. */
const itemsByPage = new WeakMap<readonly unknown[], readonly unknown[]>();

function itemsOf<Entity, Item>(entities: readonly Entity[], item: (entity: Entity) => Item): Item[] {
  const items = itemsByPage.get(entities) ?? entities.map(item);
  itemsByPage.set(entities, items);
  return items as Item[];
}

/**
 * One page with its envelope (S-PAGE-1). A page past the end is empty and costs only its count (C-LIST-1).
 * @param read reads up to `limit` records after the first `skip`
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
