import { assertRefused, assertSuccess, present, requireSuccess, string, succeeded } from "../engine/assertions.ts";
import type { Context, Evidence } from "../engine/check.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Unmet, Violation } from "../engine/outcome.ts";
import { firstResponses } from "../evidence/first-responses.ts";
import { wordFor } from "../evidence/inputs.ts";
import { expectedSize, isOwnSearch, isWhole, listViews } from "../evidence/list-views.ts";
import { idsOf, itemsOf, paginationOf, queryOf } from "../evidence/lists.ts";
import { pageBound, projectLists } from "../evidence/project-lists.ts";
import { creations, details, ours, projects } from "../evidence/projects.ts";
import { Records, valueAt } from "../evidence/records.ts";
import { stated } from "./declare.ts";
import {
  assertAccepted,
  assertItems,
  assertItemsMatch,
  assertLeftOut,
  assertNoneLacking,
  assertNoOverlap,
  assertSize,
  assertTotal,
  belonging,
  type Expected,
  families,
  isCertain,
} from "./list-rules.ts";
import { expectedProjects } from "./project-expectations.ts";

/** Projects that others may create or delete between the counting and the listing of what everyone sees. */
const others = 3;

const itemRules = {
  id: present,
  title: string,
  description: string,
  category: string,
  status: string,
  createdAt: string,
};
const listed: readonly Evidence<unknown>[] = [
  firstResponses.developer,
  firstResponses.tester,
  ours,
  projectLists,
  projects,
  creations,
];
const filters = ["status", "category", "search"] as const;
const filtersOf = ({ view }: Expected) => filters.filter((name) => view.query[name] !== undefined);

/** The project lists that were asked for with every parameter. */
async function asked(context: Context): Promise<Exchange[]> {
  const lists = await context.use(projectLists);
  const testersMay = lists.tester.some(succeeded);
  return [...lists.developer, ...(testersMay ? lists.tester : [])];
}

/** The lists of both keys by what the check judges; every one of them must succeed. */
async function judged(context: Context, parameters: readonly string[]): Promise<Expected[]> {
  assertAccepted(context, await asked(context), parameters);
  return expectedProjects(context);
}

const check = (declared: {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly [string, ...string[]];
  readonly needs?: readonly Evidence<unknown>[];
  prove(context: Context): Promise<void>;
}) => stated({ needs: listed, group: "lists", phase: "end", ...declared });

export const projectListChecks = [
  check({
    id: "projects.list-item",
    title:
      "An item of the project list has exactly id, title, description, category, status and createdAt, with the values of the project, in every list.",
    clauses: ["S-PROJ-LIST-1", "S-BASE-1"],
    needs: [...listed, ...Object.values(details)],
    async prove(context) {
      for (const list of [await context.use(firstResponses.developer), await context.use(ours)]) assertSuccess(list);
      itemsOf(await context.use(ours));
      const known = new Map(Records.of(context.observed).projects.map((project) => [project.id, project]));
      for (const view of listViews(context.observed, "projects")) {
        assertItems(view, itemRules, (id) => {
          const project = known.get(id);
          if (!project) return {};
          const value = (field: string) => valueAt(project, field, view.list.number);
          return {
            title: value("title"),
            description: value("description"),
            category: value("category"),
            createdAt: value("createdAt"),
          };
        });
      }
    },
  }),
  check({
    id: "projects.list-defaults",
    title: "Without page the project list is page 1, and without perPage it has 20 items a page.",
    clauses: ["S-PROJ-LIST-2", "S-PAGE-1"],
    async prove(context) {
      for (const { list, items, total } of listViews(context.observed, "projects")) {
        const query = queryOf(list);
        const [page, perPage] = [paginationOf(list, "page"), paginationOf(list, "perPage")];
        const wrongPage = !query.has("page") && page !== undefined && page !== 1;
        const wrongSize = !query.has("perPage") && perPage !== undefined && perPage !== 20;
        if (wrongPage || wrongSize)
          throw new Violation(`${summary(list)} is not page 1 with 20 items a page.`, {
            expected: { page: 1, perPage: 20 },
            seen: { page, perPage },
            exchange: list,
          });
        if (query.has("page") || query.has("perPage")) continue;
        const least = Math.min(20, (total ?? 0) - (query.has("search") ? 0 : others));
        if (items.length > 20 || items.length < least)
          throw new Violation(`${summary(list)} does not hold the first 20 of its matches.`, {
            expected: "20 items, or all where there are fewer",
            seen: { items: items.length, total },
            exchange: list,
          });
      }
    },
  }),
  stated({
    id: "projects.per-page-bound",
    title: "A page of 100 projects is given; one of 101 is refused or cut to 100, on any page.",
    clauses: ["S-PROJ-LIST-2"],
    group: "lists",
    needs: [pageBound],
    async prove(context) {
      const { largest, beyond } = await context.use(pageBound);
      assertSuccess(largest);
      const [allowed, total] = [paginationOf(largest, "perPage"), paginationOf(largest, "total") ?? 0];
      if ((allowed !== undefined && allowed !== 100) || itemsOf(largest).length < Math.min(100, total - others)) {
        throw new Violation("A page of 100 projects was not given.", {
          expected: 100,
          seen: { perPage: allowed, items: itemsOf(largest).length, total },
          exchange: largest,
        });
      }
      for (const list of beyond) {
        if (!succeeded(list)) {
          assertRefused(list, "100 items a page are the most");
          continue;
        }
        const given = Math.max(paginationOf(list, "perPage") ?? 0, itemsOf(list).length);
        if (given > 100)
          throw new Violation("A page of more than 100 projects was given.", {
            expected: "a refusal, or at most 100",
            seen: given,
            exchange: list,
          });
      }
    },
  }),
  check({
    id: "projects.paging",
    title:
      "Pages of the project list follow one another without a gap or an overlap, of every size and beside filters.",
    clauses: ["S-PROJ-LIST-2", "S-PAGE-1"],
    async prove(context) {
      const all = await judged(context, ["page", "perPage"]);
      const own = all.map(({ view }) => view).filter(isOwnSearch);
      for (const view of own) assertSize(view);
      const found = new Map(all.map((expected) => [expected.view, expected]));
      for (const family of families(own)) {
        assertNoOverlap(family);
        const [first] = family;
        const expected = first && found.get(first);
        const pages = new Set(family.map(({ page }) => page));
        const ids = family.flatMap((view) => view.ids);
        const all = first ? Array.from({ length: Math.ceil((first.total ?? 0) / first.perPage) }, (_, n) => n + 1) : [];
        if (!expected || !all.every((page) => pages.has(page))) continue;
        const lacking = belonging(expected).filter((id) => !ids.includes(id));
        if (lacking.length > 0)
          throw new Violation("The pages of a list do not hold each project.", {
            expected: lacking,
            seen: ids,
            exchange: family.at(-1)?.list,
          });
      }
    },
  }),
  check({
    id: "projects.total",
    title: "The total of the project list counts the matches of all pages.",
    clauses: ["S-PAGE-1"],
    async prove(context) {
      const all = expectedProjects(context);
      for (const expected of all) {
        const { view } = expected;
        if (!isOwnSearch(view)) continue;
        if (
          isCertain(expected) &&
          filtersOf(expected).length === 1 &&
          view.ids.every((id) => expected.places.get(id) === "in")
        )
          assertTotal(view, belonging(expected).length);
        if (isWhole(view)) assertTotal(view, view.items.length);
      }
      // What everyone sees may change between counting and listing: only a fault that repeats is one.
      const foreign = all.filter(({ view }) => !isOwnSearch(view));
      const wrong = foreign.filter(
        ({ view }) => isWhole(view) && (expectedSize(view) ?? view.items.length) !== view.items.length,
      );
      const [first] = wrong;
      if (first && wrong.length > Math.max(1, foreign.length / 10)) assertSize(first.view);
    },
  }),
  check({
    id: "projects.status-filter",
    title: "The status of the project list keeps the projects in that status and no others, for every status.",
    clauses: ["S-PROJ-LIST-3"],
    async prove(context) {
      for (const expected of await judged(context, ["status"])) {
        if (expected.view.query.status === undefined) continue;
        assertItemsMatch(expected, "status");
        assertLeftOut(expected, "status");
        if (filtersOf(expected).length === 1) assertNoneLacking(expected, isWhole(expected.view));
      }
    },
  }),
  check({
    id: "projects.category-filter",
    title: "The category of the project list keeps the projects of that category and no others, for every category.",
    clauses: ["S-PROJ-LIST-4"],
    async prove(context) {
      for (const expected of await judged(context, ["category"])) {
        if (expected.view.query.category === undefined) continue;
        assertItemsMatch(expected, "category");
        assertLeftOut(expected, "category");
        if (filtersOf(expected).length === 1) assertNoneLacking(expected, isWhole(expected.view));
      }
    },
  }),
  check({
    id: "projects.filters-together",
    title: "Status, category and search given together keep what all of them keep.",
    clauses: ["S-PROJ-LIST-3", "S-PROJ-LIST-4", "S-PROJ-LIST-5"],
    async prove(context) {
      for (const expected of await judged(context, filters)) {
        if (filtersOf(expected).length < 2) continue;
        for (const name of filters) assertLeftOut(expected, name);
        assertNoneLacking(expected, isWhole(expected.view));
      }
    },
  }),
  check({
    id: "projects.search",
    title: "Searching for a word that a set of projects has finds them, and none without it, beside every parameter.",
    clauses: ["S-PROJ-LIST-5"],
    async prove(context) {
      const created = (await context.use(projects)).flatMap((one) => (one ? [one.id] : []));
      const list = await context.use(ours);
      assertSuccess(list);
      const lacking = created.filter((id) => !idsOf(list).includes(id));
      if (lacking.length > 0)
        throw new Violation(`${summary(list)} does not find every project with this word.`, {
          expected: created,
          seen: idsOf(list),
          exchange: list,
        });
      for (const expected of await judged(context, ["search"])) {
        const { view, places } = expected;
        if (view.query.search === undefined) continue;
        assertLeftOut(expected, "search");
        // The words are the run's own: nothing else in the world has them.
        const foreign = view.items.filter((_, n) => !places.has(view.ids[n] ?? ""));
        if (foreign.length > 0)
          throw new Violation(`${summary(view.list)} holds projects without the word.`, {
            expected: "only projects with the word",
            seen: foreign,
            exchange: view.list,
          });
        if (filtersOf(expected).length === 1) assertNoneLacking(expected, isWhole(view));
      }
    },
  }),
  ...(["title", "description", "nothing"] as const).map((purpose) =>
    check({
      id: `projects.search-${purpose}`,
      title:
        purpose === "nothing"
          ? "Searching for a word that no project has finds none."
          : `A word that only the ${purpose} of a project has finds that project alone.`,
      clauses: ["S-PROJ-LIST-5"],
      async prove(context) {
        const word = wordFor(context.run, purpose);
        const all = await judged(context, []);
        const own = all.filter(({ view }) => view.query.search === word);
        if (own.length === 0) throw new Unmet("The search was not answered with a list.");
        for (const expected of own) {
          assertLeftOut(expected, "search");
          if (filtersOf(expected).length === 1) assertNoneLacking(expected, isWhole(expected.view));
          const foreign = expected.view.ids.filter((id) => !expected.places.has(id));
          if (foreign.length > 0)
            throw new Violation(`${summary(expected.view.list)} holds projects without the word.`, {
              expected: "none",
              seen: foreign,
              exchange: expected.view.list,
            });
        }
      },
    }),
  ),
  check({
    id: "projects.filtered-total",
    title: "The total of a filtered or searched project list counts what was kept, under every combination of filters.",
    clauses: ["S-PAGE-1", "S-PROJ-LIST-3", "S-PROJ-LIST-4", "S-PROJ-LIST-5"],
    async prove(context) {
      requireSuccess(await context.use(ours), "Finding the projects of the run");
      const all = expectedProjects(context);
      for (const expected of all) {
        const { view, places } = expected;
        if (filtersOf(expected).length === 0) continue;
        if (isWhole(view) && (view.ids.some((id) => places.has(id)) || isOwnSearch(view)))
          assertTotal(view, view.items.length);
        if (view.total !== undefined && view.total < belonging(expected).length)
          assertTotal(view, belonging(expected).length);
        const clean = view.ids.every((id) => places.get(id) === "in");
        if (isOwnSearch(view) && isCertain(expected) && clean) assertTotal(view, belonging(expected).length);
      }
      assertSameTotals(all);
    },
  }),
];

/** @throws Violation where one key is told different totals of one list within a moment, whatever pages it asks for */
function assertSameTotals(all: readonly Expected[]): void {
  const totals = new Map<string, Expected[]>();
  for (const expected of all) {
    const { list, query } = expected.view;
    const key = `${list.payer} ${JSON.stringify(Object.entries(query).sort())}`;
    totals.set(key, [...(totals.get(key) ?? []), expected]);
  }
  for (const group of totals.values()) {
    for (const [n, { view, places }] of group.slice(1).entries()) {
      const before = group[n] as Expected;
      const sameRecords = belonging(before).join() === belonging({ view, places }).join();
      // Everyone's projects may change meanwhile; the run's own do not.
      if (!sameRecords || !isOwnSearch(view) || view.total === before.view.total) continue;
      assertTotal(view, before.view.total ?? 0);
    }
  }
}
