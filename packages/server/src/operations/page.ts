import type { components } from "@project-feedback/spec";

interface Source<Entity, Item> {
  /** Number of all matches. */
  readonly count: () => Promise<number>;
  readonly list: (skip: number, limit: number) => Promise<Entity[]>;
  readonly item: (entity: Entity) => Item;
}

/** One page with its envelope (S-PAGE-1). A page past the end is empty, and costs no more than its count (C-LIST-1). */
export async function pageOf<Entity, Item>(
  query: { readonly page?: number; readonly perPage?: number },
  source: Source<Entity, Item>,
): Promise<{ data: Item[]; pagination: components["schemas"]["Pagination"] }> {
  const { page = 1, perPage = 20 } = query;
  const skip = (page - 1) * perPage;
  const [total, entities] =
    page === 1
      ? await Promise.all([source.count(), source.list(0, perPage)])
      : await source.count().then(async (all) => [all, skip < all ? await source.list(skip, perPage) : []] as const);
  return { data: entities.map(source.item), pagination: { page, perPage, total } };
}
