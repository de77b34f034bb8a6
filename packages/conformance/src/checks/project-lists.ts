import {
  assertNoFaults,
  assertRefused,
  assertSuccess,
  equal,
  faults,
  present,
  string,
  succeeded,
} from "../engine/assertions.ts";
import { summary } from "../engine/exchange.ts";
import { Unmet, Violation } from "../engine/outcome.ts";
import { arrivals } from "../evidence/arrival.ts";
import { idOf, idsOf, itemsOf, paginationOf } from "../evidence/lists.ts";
import { projectPages, projectsByCategory, projectsByStatus, searches } from "../evidence/project-lists.ts";
import { creations, type Made, ourItems, ours, projectAt, projects } from "../evidence/projects.ts";
import { stated } from "./declare.ts";
import { assertFiltered, assertFound, assertTotals } from "./matching.ts";

/** Projects that others may delete between the counting and the listing of what everyone sees. */
const others = 3;

const itemRules = {
  id: present,
  title: string,
  description: string,
  category: string,
  status: string,
  createdAt: string,
};

export const projectLists = [
  stated({
    id: "projects.list-item",
    title:
      "An item of the project list has exactly id, title, description, category, status and createdAt, with the project's values.",
    clauses: ["S-PROJ-LIST-1", "S-BASE-1"],
    needs: [arrivals.developer, arrivals.tester, ours, projects],
    async prove(context) {
      const byTester = await context.use(arrivals.tester);
      for (const list of [
        await context.use(ours),
        await context.use(arrivals.developer),
        ...(succeeded(byTester) ? [byTester] : []),
      ]) {
        assertSuccess(list);
        assertNoFaults(
          list,
          itemsOf(list).flatMap((item, n) => faults(item, itemRules, { at: `data[${n}]`, exactly: true })),
        );
      }
      const list = await context.use(ours);
      const items = new Map(itemsOf(list).map((item) => [idOf(item), item]));
      for (const { id, sent } of (await context.use(projects)).flatMap((one) => (one ? [one] : []))) {
        const item = items.get(id);
        const rules = {
          title: equal(sent.title),
          description: equal(sent.description),
          category: equal(sent.category),
        };
        if (item) assertNoFaults(list, faults(item, rules, { at: `the item of ${id}` }));
      }
    },
  }),
  stated({
    id: "projects.list-defaults",
    title: "Without parameters the project list is page 1 of 20 a page.",
    clauses: ["S-PROJ-LIST-2", "S-PAGE-1"],
    needs: [arrivals.developer, arrivals.tester],
    async prove(context) {
      const byTester = await context.use(arrivals.tester);
      for (const list of [await context.use(arrivals.developer), ...(succeeded(byTester) ? [byTester] : [])]) {
        const items = itemsOf(list);
        const page = paginationOf(list, "page");
        const perPage = paginationOf(list, "perPage");
        const total = paginationOf(list, "total");
        if (page !== undefined && perPage !== undefined && (page !== 1 || perPage !== 20)) {
          throw new Violation(`${summary(list)} is not page 1 of 20 a page.`, {
            expected: { page: 1, perPage: 20 },
            seen: { page, perPage },
            exchange: list,
          });
        }
        if (items.length > 20 || (total !== undefined && items.length < Math.min(20, total - others))) {
          const seen = { items: items.length, total };
          throw new Violation(`${summary(list)} does not hold the first 20 of its matches.`, {
            expected: "20 items, or all where there are fewer",
            seen,
            exchange: list,
          });
        }
      }
    },
  }),
  stated({
    id: "projects.per-page-bound",
    title: "A page of 100 projects is given, one of 101 is refused or cut to 100.",
    clauses: ["S-PROJ-LIST-2"],
    needs: [arrivals.developer],
    cost: { developer: 2 },
    async prove(context) {
      const control = await context.send("developer", "GET", "/projects", { query: { perPage: 100 } });
      assertSuccess(control);
      const [allowed, total] = [paginationOf(control, "perPage"), paginationOf(control, "total") ?? 0];
      if ((allowed !== undefined && allowed !== 100) || itemsOf(control).length < Math.min(100, total - others)) {
        throw new Violation("A page of 100 projects was not given.", {
          expected: 100,
          seen: { perPage: allowed, items: itemsOf(control).length, total },
          exchange: control,
        });
      }
      const beyond = await context.send("developer", "GET", "/projects", { query: { perPage: 101 } });
      if (!succeeded(beyond)) return assertRefused(beyond, "100 a page is the most");
      const given = Math.max(paginationOf(beyond, "perPage") ?? 0, itemsOf(beyond).length);
      if (given > 100)
        throw new Violation("A page of more than 100 projects was given.", {
          expected: "a refusal, or at most 100",
          seen: given,
          exchange: beyond,
        });
    },
  }),
  stated({
    id: "projects.paging",
    title: "Pages of the project list follow one another without a gap or an overlap.",
    clauses: ["S-PROJ-LIST-2", "S-PAGE-1"],
    needs: [projectPages, ours, projects],
    async prove(context) {
      const expected = [...(await ourItems(context)).keys()].sort();
      const [first, second] = await context.use(projectPages);
      assertSuccess(first);
      assertSuccess(second);
      const seen = [idsOf(first), idsOf(second)];
      const sizes = [Math.min(3, expected.length), Math.max(0, expected.length - 3)];
      if (seen.flat().toSorted().join() !== expected.join() || seen.some((ids, n) => ids.length !== sizes[n])) {
        throw new Violation("Pages 1 and 2 of 3 projects a page do not hold each project once.", {
          expected: `${sizes.join(" and ")} of ${expected}`,
          seen,
          exchange: second,
        });
      }
    },
  }),
  stated({
    id: "projects.total",
    title: "The project list's total counts the matches of every page.",
    clauses: ["S-PAGE-1"],
    needs: [projectPages, ours, projects],
    async prove(context) {
      const expected = (await ourItems(context)).size;
      for (const list of [await context.use(ours), ...(await context.use(projectPages))]) {
        const seen = paginationOf(list, "total");
        if (seen !== expected)
          throw new Violation(`${summary(list)} does not count every match.`, { expected, seen, exchange: list });
      }
    },
  }),
  stated({
    id: "projects.status-filter",
    title: "The project list's status keeps the projects in that status and no others.",
    clauses: ["S-PROJ-LIST-3"],
    needs: [projectsByStatus, ours, projects],
    async prove(context) {
      const known = new Map(Array.from(await ourItems(context), ([id, { status }]) => [id, status]));
      for (const [status, list] of await context.use(projectsByStatus))
        assertFiltered(list, { field: "status", value: status, known });
    },
  }),
  stated({
    id: "projects.category-filter",
    title: "The project list's category keeps the projects of that category and no others.",
    clauses: ["S-PROJ-LIST-4"],
    needs: [projectsByCategory, ours, projects],
    async prove(context) {
      const items = await ourItems(context);
      const made = (await context.use(projects)).flatMap((one) => (one ? [one] : []));
      // Where a category was not kept or is not shown as it was sent, another check says so.
      const sure = ({ id, sent }: Made) => items.get(id)?.category === sent.category;
      const known = new Map(made.map((one) => [one.id, sure(one) ? one.sent.category : undefined]));
      for (const [category, list] of await context.use(projectsByCategory))
        assertFiltered(list, { field: "category", value: category, known });
    },
  }),
  stated({
    id: "projects.filters-together",
    title: "Status, category and search given together keep what all of them keep.",
    clauses: ["S-PROJ-LIST-3", "S-PROJ-LIST-4", "S-PROJ-LIST-5"],
    needs: [ours, projects, creations],
    cost: { developer: 2 },
    async prove(context) {
      const items = await ourItems(context);
      const second = await projectAt(context, 1);
      const { status, category } = items.get(second.id) ?? {};
      if (category !== "mobile" || typeof status !== "string")
        throw new Unmet("The list does not show the project with its category and status.");
      const list = (query: Record<string, string>) =>
        context.send("developer", "GET", "/projects", {
          query: { search: context.run, page: 1, perPage: 50, ...query },
        });
      assertFound(await list({ status, category: "mobile" }), [second.id]);
      const another = status === "archived" ? "draft" : "archived";
      assertFound(await list({ status: another, category: "mobile" }), []);
    },
  }),
  stated({
    id: "projects.search",
    title: "Searching for a word that every one of a set of projects has finds them, and none without it.",
    clauses: ["S-PROJ-LIST-5"],
    needs: [ours, projects],
    async prove(context) {
      assertFound(
        await context.use(ours),
        (await context.use(projects)).flatMap((one) => (one ? [one.id] : [])),
      );
    },
  }),
  ...(
    [
      ["title", 0],
      ["description", 1],
      ["nothing", undefined],
    ] as const
  ).map(([purpose, turn]) =>
    stated({
      id: `projects.search-${purpose}`,
      title:
        turn === undefined
          ? "Searching for a word that no project has finds none."
          : `A word that only a project's ${purpose} has finds that project alone.`,
      clauses: ["S-PROJ-LIST-5"],
      needs: [searches, projects, creations],
      async prove(context) {
        const expected = turn === undefined ? [] : [(await projectAt(context, turn)).id];
        assertFound((await context.use(searches))[purpose], expected);
      },
    }),
  ),
  stated({
    id: "projects.filtered-total",
    title: "The total of a filtered or searched project list counts what was kept.",
    clauses: ["S-PAGE-1", "S-PROJ-LIST-3", "S-PROJ-LIST-4", "S-PROJ-LIST-5"],
    needs: [projectsByStatus, projectsByCategory, searches],
    async prove(context) {
      const { title, description, nothing } = await context.use(searches);
      assertTotals([
        ...(await context.use(projectsByStatus)).values(),
        ...(await context.use(projectsByCategory)).values(),
        title,
        description,
        nothing,
      ]);
    },
  }),
];
