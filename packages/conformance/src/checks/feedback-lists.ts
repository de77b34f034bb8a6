import {
  assertSuccess,
  identifier,
  instant,
  integer,
  oneOf,
  requireSuccess,
  succeeded,
  timestamp,
} from "../engine/assertions.ts";
import type { Context, Evidence } from "../engine/check.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Unmet, Violation } from "../engine/outcome.ts";
import {
  detailByOwner,
  firstDetailNeeds,
  firstFeedback,
  firstSubmission,
  marks,
  secondFeedback,
  secondSubmission,
  submissions,
} from "../evidence/feedback.ts";
import { feedbackLists, secondList } from "../evidence/feedback-lists.ts";
import { isWhole, type ListView, listViews } from "../evidence/list-views.ts";
import { Records, valueAt } from "../evidence/records.ts";
import { feedbackStatuses, type SortKey } from "../evidence/vocabulary.ts";
import { stated } from "./declare.ts";
import { expectedFeedback, marksAt, ratingAt } from "./feedback-expectations.ts";
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

const itemRules = {
  id: identifier,
  projectId: identifier,
  testerId: identifier,
  overallRating: integer,
  status: oneOf(...feedbackStatuses),
  createdAt: timestamp,
};

const listed: readonly Evidence<unknown>[] = [feedbackLists, firstSubmission, submissions];
const filters = ["status", "testerId"] as const;
const filtersOf = ({ view }: Expected) => filters.filter((name) => view.query[name] !== undefined);

/** The lists of the main project by the keys that may list it: by the owner of the project in any case. */
async function asked(context: Context): Promise<Exchange[]> {
  const lists = await context.use(feedbackLists);
  const [plain] = lists.tester;
  return [...lists.developer, ...(plain && succeeded(plain) ? lists.tester : [])];
}

/** Every list of the main project; those with one of the parameters must succeed. */
async function judged(context: Context, parameters: readonly string[]): Promise<Expected[]> {
  assertAccepted(context, await asked(context), parameters);
  const { projectId } = await context.use(firstSubmission);
  return expectedFeedback(context).filter(({ view }) => view.projectId === projectId);
}

const check = (declared: {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly [string, ...string[]];
  readonly needs?: readonly Evidence<unknown>[];
  prove(context: Context): Promise<void>;
}) => stated({ phase: "end", ...declared, group: "lists", needs: [...listed, ...(declared.needs ?? [])] });

/** The number by which a list is sorted, of each item, and of the records that are not on the pages read. */
function sortValues(context: Context, key: SortKey, view: ListView): (id: string) => number | undefined {
  const known = new Map(Records.of(context.observed).feedback.map((one) => [one.id, one]));
  const items = new Map(view.items.map((item, n) => [view.ids[n] ?? "", item]));
  return (id) => {
    const record = known.get(id);
    const item = items.get(id);
    if (key === "date") {
      const value = instant(item?.createdAt ?? (record && valueAt(record, "createdAt", view.list.number)));
      return Number.isNaN(value) ? undefined : value;
    }
    if (key === "rating") {
      const shown = item?.overallRating;
      return typeof shown === "number" ? shown : record && ratingAt(record, view.list.number);
    }
    return record && marksAt(record, context, view.list.number);
  };
}

const isMonotonic = (numbers: readonly number[], direction: 1 | -1): boolean =>
  numbers.every((number, n) => n === 0 || direction * (number - (numbers[n - 1] ?? number)) >= 0);

/**
 * @throws Violation where the pages of a list are not in the order that sort asks for, in either direction, or where a
 * record that is not on them belongs before their end
 */
function assertSorted(context: Context, key: SortKey, family: readonly Expected[]): void {
  const pages = family.filter(({ view }, n) => n === 0 || view.page === (family[n - 1]?.view.page ?? 0) + 1);
  const last = pages.at(-1);
  if (!last) return;
  const ids = pages.flatMap(({ view }) => view.ids);
  const valueFor = (id: string) => {
    const page = pages.find(({ view }) => view.ids.includes(id)) ?? last;
    return sortValues(context, key, page.view)(id);
  };
  const values = ids.flatMap((id) => valueFor(id) ?? []);
  const fromStart = pages[0]?.view.page === 1;
  const rest = fromStart && isCertain(last) ? belonging(last).filter((id) => !ids.includes(id)) : [];
  const restValues = rest.flatMap((id) => valueFor(id) ?? []);
  const end = values.at(-1);
  // A list may tell the time to the second, where a detail tells more.
  const coarseness = key === "date" ? 1000 : Number.MIN_VALUE;
  const holds = ([1, -1] as const).some(
    (direction) =>
      isMonotonic(values, direction) &&
      (end === undefined || restValues.every((value) => direction * (value - end) > -coarseness)),
  );
  if (holds) return;
  throw new Violation(`${summary(last.view.list)} is not in the order of ${key}, in either direction.`, {
    expected: `rising or falling throughout; then ${JSON.stringify(restValues)}`,
    seen: values,
    exchange: last.view.list,
  });
}

/** The lists that are sorted by a key, page by page. */
function sortedFamilies(all: readonly Expected[], key: SortKey): Expected[][] {
  const found = new Map(all.map((expected) => [expected.view, expected]));
  const views = all.map(({ view }) => view).filter(({ query }) => query.sort === key);
  return families(views).map((family) => family.flatMap((view) => found.get(view) ?? []));
}

const sortNames: Readonly<Record<SortKey, string>> = { date: "date", rating: "overall rating", helpful: "marks" };

export const feedbackListChecks = [
  check({
    id: "feedback.list-item",
    title:
      "An item of the feedback list has exactly id, projectId, testerId, overallRating, status and createdAt, with the values of the feedback, in every list.",
    clauses: ["S-FB-LIST-1", "S-BASE-1"],
    needs: [secondList, ...firstDetailNeeds, firstFeedback, detailByOwner],
    async prove(context) {
      const lists = await context.use(feedbackLists);
      for (const list of lists.developer.slice(0, 1)) assertSuccess(list);
      const known = new Map(Records.of(context.observed).feedback.map((one) => [one.id, one]));
      for (const view of listViews(context.observed, "feedback")) {
        assertItems(view, itemRules, (id) => {
          const feedback = known.get(id);
          if (!feedback) return {};
          const value = (field: string) => valueAt(feedback, field, view.list.number);
          return {
            projectId: feedback.projectId === view.projectId ? feedback.projectId : undefined,
            testerId: feedback.sightings.find(({ inDetail }) => inDetail)?.shown.testerId,
            overallRating: value("overallRating"),
            createdAt: value("createdAt"),
          };
        });
      }
    },
  }),
  check({
    id: "feedback.list-holds",
    title:
      "The feedback list of a project holds the feedback that was submitted to it, for the owner of the project, and none of another project.",
    clauses: ["S-FB-LIST-1"],
    needs: [secondList, secondFeedback, secondSubmission],
    async prove(context) {
      const [list] = (await context.use(feedbackLists)).developer;
      const [other] = await context.use(secondList);
      for (const each of [list, other]) if (each) assertSuccess(each);
      for (const expected of expectedFeedback(context)) {
        assertLeftOut(expected, "project");
        if (filtersOf(expected).length === 0) assertNoneLacking(expected, isWhole(expected.view));
      }
      // A first page that is full says nothing of what it lacks, but all pages together do.
      for (const family of plainFamilies(expectedFeedback(context))) {
        const [first] = family;
        const ids = family.flatMap(({ view }) => view.ids);
        const complete = first && (first.view.total ?? 0) <= ids.length;
        const lacking = first && complete ? belonging(first).filter((id) => !ids.includes(id)) : [];
        if (lacking.length > 0)
          throw new Violation("The pages of a feedback list lack feedback of its project.", {
            expected: lacking,
            seen: ids,
            exchange: first?.view.list,
          });
      }
    },
  }),
  ...filters.map((field) =>
    check({
      id: field === "status" ? "feedback.status-filter" : "feedback.tester-filter",
      title: `The ${field} of the feedback list keeps the feedback ${field === "status" ? "in that status" : "of that author"} and no other.`,
      clauses: ["S-FB-LIST-2"],
      async prove(context) {
        const lists = await asked(context);
        // An id that is none of an author's may be refused for its form.
        const unknown = new Set(
          lists.filter((list) => !succeeded(list) && field === "testerId").map(({ target }) => target),
        );
        const usual = lists.filter(({ target }) => !unknown.has(target) || isOwnAuthor(context, target));
        assertAccepted(context, usual, [field]);
        for (const expected of await judged(context, [])) {
          if (expected.view.query[field] === undefined) continue;
          assertItemsMatch(expected, field);
          assertLeftOut(expected, field);
          if (filtersOf(expected).length === 1) assertNoneLacking(expected, isWhole(expected.view));
        }
      },
    }),
  ),
  check({
    id: "feedback.filters-together",
    title: "status and testerId given together keep what both keep, in any order and on any page.",
    clauses: ["S-FB-LIST-2"],
    async prove(context) {
      for (const expected of await judged(context, ["status"])) {
        if (filtersOf(expected).length < 2) continue;
        for (const name of filters) assertLeftOut(expected, name);
        assertNoneLacking(expected, isWhole(expected.view));
      }
    },
  }),
  check({
    id: "feedback.filtered-total",
    title: "The total of a filtered feedback list counts what was kept.",
    clauses: ["S-PAGE-1", "S-FB-LIST-2"],
    async prove(context) {
      for (const expected of await judged(context, [])) {
        if (filtersOf(expected).length > 0) assertCounted(context, expected);
      }
    },
  }),
  ...(["date", "rating"] as const).map((key) =>
    check({
      id: `feedback.sort-${key}`,
      title: `sort=${key} orders the feedback list by ${sortNames[key]}, in either direction.`,
      clauses: ["S-FB-LIST-3"],
      async prove(context) {
        const all = await judged(context, ["sort"]);
        const plain = sortedFamilies(all, key).filter(([first]) => first && filtersOf(first).length === 0);
        if (plain.length === 0) throw new Unmet(`The list was not answered with sort=${key}.`);
        for (const family of plain) assertSorted(context, key, family);
      },
    }),
  ),
  check({
    id: "feedback.sort-helpful",
    title: "sort=helpful puts the feedback that was marked before or after all that was not.",
    clauses: ["S-FB-LIST-3", "S-FB-HELP-1"],
    needs: [marks],
    async prove(context) {
      for (const { answer } of await context.use(marks)) requireSuccess(answer, "Marking the feedback");
      const all = await judged(context, ["sort"]);
      for (const family of sortedFamilies(all, "helpful")) assertSorted(context, "helpful", family);
    },
  }),
  check({
    id: "feedback.sort-combined",
    title: "sort orders the list beside filters too, and keeps what the filters keep.",
    clauses: ["S-FB-LIST-3"],
    async prove(context) {
      const all = await judged(context, ["sort"]);
      for (const key of ["date", "rating"] as const) {
        for (const family of sortedFamilies(all, key)) {
          const [first] = family;
          if (!first || filtersOf(first).length === 0) continue;
          assertSorted(context, key, family);
          assertNoneLacking(first, isWhole(first.view));
        }
      }
    },
  }),
  check({
    id: "feedback.paging",
    title:
      "Pages of the feedback list follow one another without a gap or an overlap, of every size and beside filters.",
    clauses: ["S-FB-LIST-3", "S-PAGE-1"],
    async prove(context) {
      const all = await judged(context, ["page", "perPage"]);
      for (const { view } of all) assertSize(view);
      const found = new Map(all.map((expected) => [expected.view, expected]));
      for (const family of families(all.map(({ view }) => view))) {
        assertNoOverlap(family);
        const [first] = family;
        const expected = first && found.get(first);
        const ids = family.flatMap((view) => view.ids);
        const complete = first?.page === 1 && first.total !== undefined && new Set(ids).size === first.total;
        const lacking = expected && complete ? belonging(expected).filter((id) => !ids.includes(id)) : [];
        if (lacking.length > 0)
          throw new Violation("The pages of a list do not hold each record.", {
            expected: lacking,
            seen: ids,
            exchange: family.at(-1)?.list,
          });
      }
    },
  }),
  check({
    id: "feedback.sorted-pages",
    title: "The order that sort asks for goes on through all pages.",
    clauses: ["S-FB-LIST-3"],
    async prove(context) {
      const all = await judged(context, ["sort", "page"]);
      for (const key of ["date", "rating"] as const) {
        for (const family of sortedFamilies(all, key)) {
          if (family.some(({ view }) => view.list.target.includes("perPage="))) assertSorted(context, key, family);
        }
      }
    },
  }),
  check({
    id: "feedback.total",
    title: "The total of the feedback list counts the matches of all pages, in any order.",
    clauses: ["S-PAGE-1"],
    async prove(context) {
      for (const expected of await judged(context, [])) {
        if (filtersOf(expected).length === 0) assertCounted(context, expected);
      }
    },
  }),
];

/** @throws Violation where a total is not the number of the matches, as far as they are known */
function assertCounted(context: Context, expected: Expected): void {
  const { view } = expected;
  if (isWhole(view) || view.items.length < view.perPage) {
    if (view.page === 1) assertTotal(view, view.items.length);
  }
  const own = belonging(expected);
  if (view.total !== undefined && view.total < own.length) assertTotal(view, own.length);
  // On a project of the run, nobody else submits. Drafts may be listed for their author.
  const alone = context.options.project?.open === undefined && isCertain(expected);
  if (alone && view.ids.every((id) => expected.places.get(id) === "in")) assertTotal(view, own.length);
}

/** The plain list of each key, page by page. */
function plainFamilies(all: readonly Expected[]): Expected[][] {
  const found = new Map(all.map((expected) => [expected.view, expected]));
  const plain = all.filter(
    ({ view }) => Object.keys(view.query).length === 0 && !view.list.target.includes("perPage="),
  );
  return families(plain.map(({ view }) => view)).map((family) => family.flatMap((view) => found.get(view) ?? []));
}

/** Whether a target asks for an author whom the run's own feedback has. */
function isOwnAuthor(context: Context, target: string): boolean {
  const asked = new URLSearchParams(target.split("?")[1] ?? "").get("testerId");
  const { feedback } = Records.of(context.observed);
  return feedback.some(({ sightings }) => sightings.some(({ shown }) => String(shown.testerId) === asked));
}
