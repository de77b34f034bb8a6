import type { Context } from "../engine/check.ts";
import { type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { ourItems, ours, projects } from "./projects.ts";
import { categories, projectStatuses, wordFor } from "./texts.ts";

type Query = Record<string, string | number>;

const list = (context: Context, query: Query) => context.send("developer", "GET", "/projects", { query });

const listing = <T>(name: string, developer: number, gather: (context: Context) => Promise<T>): Evidence<T> =>
  evidence({ name, needs: [ours, projects], cost: { developer }, writes: true, gather });

/** The run's four projects in pages of three. */
export const projectPages = listing("projects being paged", 2, async (context) => {
  await ourItems(context);
  const page = (number: number) => list(context, { search: context.run, page: number, perPage: 3 });
  return [await page(1), await page(2)] as const;
});

/**
 * A list for each status. The status that the run's projects have is asked of them alone, so that the list must be
 * complete; the others are asked of everything there is, so that they have something to get wrong.
 */
export const projectsByStatus = listing("projects being filtered by status", 4, async (context) => {
  const own = new Set([...(await ourItems(context)).values()].map(({ status }) => status));
  const lists = new Map<string, Exchange>();
  for (const status of projectStatuses) {
    lists.set(
      status,
      await list(context, { status, page: 1, perPage: 50, ...(own.has(status) ? { search: context.run } : {}) }),
    );
  }
  return lists;
});

/** A list of the run's projects for each category. */
export const projectsByCategory = listing("projects being filtered by category", 4, async (context) => {
  await ourItems(context);
  const lists = new Map<string, Exchange>();
  for (const category of categories)
    lists.set(category, await list(context, { category, page: 1, perPage: 50, search: context.run }));
  return lists;
});

/** Searches for a word that only one title has, one that only one description has, and one that nothing has. */
export const searches: Evidence<{
  readonly title: Exchange;
  readonly description: Exchange;
  readonly nothing: Exchange;
}> = evidence({
  name: "projects being searched",
  needs: [projects],
  cost: { developer: 3 },
  writes: true,
  async gather(context) {
    const search = (purpose: string) => list(context, { search: wordFor(context.run, purpose), page: 1, perPage: 50 });
    return { title: await search("title"), description: await search("description"), nothing: await search("nothing") };
  },
});
