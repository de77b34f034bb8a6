import {
  assertNoFaults,
  assertSuccess,
  equal,
  faults,
  identifier,
  instant,
  integer,
  oneOf,
  requireSuccess,
  succeeded,
  timestamp,
} from "../engine/assertions.ts";
import type { Context } from "../engine/check.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Unmet, Violation } from "../engine/outcome.ts";
import {
  byDeveloper,
  firstFeedback,
  firstMark,
  firstSubmission,
  four,
  onFirstProject,
  secondFeedback,
} from "../evidence/feedback.ts";
import { listsBySort, listsByStatus, listsByTester, otherList, pages, plainList } from "../evidence/feedback-lists.ts";
import { idOf, idsOf, isWhole, itemsOf, paginationOf } from "../evidence/lists.ts";
import { feedbackStatuses } from "../evidence/texts.ts";
import { stated } from "./declare.ts";
import { assertFiltered, assertTotals } from "./matching.ts";

const itemRules = {
  id: identifier,
  projectId: identifier,
  testerId: identifier,
  overallRating: integer,
  status: oneOf(...feedbackStatuses),
  createdAt: timestamp,
};

/** Whether numbers only rise or only fall. */
const monotonic = (numbers: readonly number[]): boolean => {
  const steps = numbers.slice(1).map((number, n) => number - (numbers[n] ?? number));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
};

function assertMonotonic(list: Exchange, field: "overallRating" | "createdAt", numbers: readonly number[]): void {
  if (numbers.some(Number.isNaN)) throw new Unmet(`${summary(list)} does not show every ${field}.`, list);
  if (monotonic(numbers)) return;
  throw new Violation(`${summary(list)} is not in the order of ${field}, in either direction.`, {
    expected: "rising or falling throughout",
    seen: itemsOf(list).map((item) => item[field]),
    exchange: list,
  });
}

const standing = [four, byDeveloper, firstSubmission] as const;

/** A field of the feedback that the run put on the first project, as the list without filters shows it. */
async function ownItems(context: Context, field: "status" | "testerId"): Promise<Map<string, unknown>> {
  const { sure, other } = await onFirstProject(context);
  const own = new Set([...sure, ...(other ? [other] : [])].map(({ id }) => id));
  const items = itemsOf(await context.use(plainList)).filter((item) => own.has(idOf(item)));
  return new Map(items.map((item) => [idOf(item), item[field]]));
}

export const feedbackLists = [
  stated({
    id: "feedback.list-item",
    title:
      "An item of the feedback list has exactly id, projectId, testerId, overallRating, status and createdAt, with the feedback's values.",
    clauses: ["S-FB-LIST-1", "S-BASE-1"],
    needs: [plainList, otherList, ...standing],
    async prove(context) {
      const list = await context.use(plainList);
      for (const each of [list, await context.use(otherList)]) {
        assertSuccess(each);
        assertNoFaults(
          each,
          itemsOf(each).flatMap((item, n) => faults(item, itemRules, { at: `data[${n}]`, exactly: true })),
        );
      }
      const { project } = await context.use(firstSubmission);
      for (const { id, sent } of (await onFirstProject(context)).sure) {
        const item = itemsOf(list).find((one) => idOf(one) === id);
        const rules = { projectId: equal(project.id), overallRating: equal(sent.overallRating) };
        if (item) assertNoFaults(list, faults(item, rules, { at: `the item of ${id}` }));
      }
    },
  }),
  stated({
    id: "feedback.list-holds",
    title: "A project's feedback list holds the feedback that was submitted on it, and none of another project.",
    clauses: ["S-FB-LIST-1"],
    needs: [plainList, otherList, secondFeedback, firstFeedback, ...standing],
    async prove(context) {
      const lists = [await context.use(plainList), await context.use(otherList)] as const;
      for (const list of lists) assertSuccess(list);
      const here = (await onFirstProject(context)).sure.map(({ id }) => id);
      const there = (await context.use(secondFeedback)).id;
      const lacking = [
        here.filter((id) => !idsOf(lists[0]).includes(id)),
        [there].filter((id) => !idsOf(lists[1]).includes(id)),
      ];
      const foreign = [idsOf(lists[0]).filter((id) => id === there), idsOf(lists[1]).filter((id) => here.includes(id))];
      lists.forEach((list, n) => {
        if (foreign[n]?.length)
          throw new Violation(`${summary(list)} holds feedback of another project.`, {
            expected: "none",
            seen: foreign[n],
            exchange: list,
          });
        if (lacking[n]?.length && isWhole(list))
          throw new Violation(`${summary(list)} lacks feedback of its project.`, {
            expected: lacking[n],
            seen: idsOf(list),
            exchange: list,
          });
      });
    },
  }),
  stated({
    id: "feedback.status-filter",
    title: "The feedback list's status keeps the feedback in that status and no other.",
    clauses: ["S-FB-LIST-2"],
    needs: [listsByStatus, plainList, ...standing],
    async prove(context) {
      const known = await ownItems(context, "status");
      for (const [status, list] of await context.use(listsByStatus))
        assertFiltered(list, { field: "status", value: status, known });
    },
  }),
  stated({
    id: "feedback.tester-filter",
    title: "The feedback list's testerId keeps that author's feedback and no other.",
    clauses: ["S-FB-LIST-2"],
    needs: [listsByTester, plainList, ...standing],
    async prove(context) {
      const { testerId, author, nobody } = await context.use(listsByTester);
      const known = await ownItems(context, "testerId");
      assertFiltered(author, { field: "testerId", value: testerId, known });
      // An id that is none of an author's may be refused for its form.
      if (succeeded(nobody)) {
        const asked = new URLSearchParams(nobody.target.split("?")[1]).get("testerId");
        assertFiltered(nobody, { field: "testerId", value: asked, known });
      }
    },
  }),
  stated({
    id: "feedback.filtered-total",
    title: "The total of a feedback list, filtered or not, counts what was kept.",
    clauses: ["S-PAGE-1", "S-FB-LIST-2"],
    needs: [listsByStatus, listsByTester, plainList],
    async prove(context) {
      const { author, nobody } = await context.use(listsByTester);
      assertTotals([await context.use(plainList), ...(await context.use(listsByStatus)).values(), author, nobody]);
    },
  }),
  stated({
    id: "feedback.sort-date",
    title: "sort=date orders the feedback list by date, in either direction.",
    clauses: ["S-FB-LIST-3"],
    needs: [listsBySort],
    async prove(context) {
      const list = (await context.use(listsBySort)).get("date") as Exchange;
      assertSuccess(list);
      assertMonotonic(
        list,
        "createdAt",
        itemsOf(list).map(({ createdAt }) => instant(createdAt)),
      );
    },
  }),
  stated({
    id: "feedback.sort-rating",
    title: "sort=rating orders the feedback list by overall rating, in either direction.",
    clauses: ["S-FB-LIST-3"],
    needs: [listsBySort],
    async prove(context) {
      const list = (await context.use(listsBySort)).get("rating") as Exchange;
      assertSuccess(list);
      assertMonotonic(
        list,
        "overallRating",
        itemsOf(list).map(({ overallRating }) => Number(overallRating)),
      );
    },
  }),
  stated({
    id: "feedback.sort-helpful",
    title: "sort=helpful puts the feedback that was marked before or after all that was not.",
    clauses: ["S-FB-LIST-3", "S-FB-HELP-1"],
    needs: [listsBySort, firstMark],
    async prove(context) {
      const list = (await context.use(listsBySort)).get("helpful") as Exchange;
      const { marked, answer } = await context.use(firstMark);
      assertSuccess(list);
      requireSuccess(answer, "Marking the feedback");
      const ids = idsOf(list);
      if (ids.at(0) === marked.id || ids.at(-1) === marked.id) return;
      throw new Violation(`${summary(list)} does not put the one that is marked at an end.`, {
        expected: marked.id,
        seen: ids,
        exchange: list,
      });
    },
  }),
  stated({
    id: "feedback.paging",
    title: "Pages of the feedback list follow one another, in order, without a gap or an overlap.",
    clauses: ["S-FB-LIST-3", "S-PAGE-1"],
    needs: [pages, listsBySort],
    async prove(context) {
      const lists = await context.use(pages);
      for (const list of lists) assertSuccess(list);
      const seen = lists.flatMap(idsOf);
      const lacking = idsOf((await context.use(listsBySort)).get("rating") as Exchange).filter(
        (id) => !seen.includes(id),
      );
      const sizes = lists.map((list) => itemsOf(list).length);
      if (
        new Set(seen).size < seen.length ||
        lacking.length > 0 ||
        sizes.slice(0, -1).some((size) => size !== 2) ||
        (sizes.at(-1) ?? 0) > 2
      ) {
        throw new Violation("Pages of two do not hold each record once.", {
          expected: `each once, without ${lacking}`,
          seen: lists.map(idsOf),
          exchange: lists.at(-1),
        });
      }
    },
  }),
  stated({
    id: "feedback.sorted-pages",
    title: "The order that sort asks for goes through all pages.",
    clauses: ["S-FB-LIST-3"],
    needs: [pages],
    async prove(context) {
      const lists = await context.use(pages);
      for (const list of lists) assertSuccess(list);
      const ratings = lists.flatMap((list) => itemsOf(list).map(({ overallRating }) => Number(overallRating)));
      if (!monotonic(ratings))
        throw new Violation("Pages that are sorted by rating do not go on in order.", {
          expected: "rising or falling throughout",
          seen: ratings,
          exchange: lists.at(-1),
        });
    },
  }),
  stated({
    id: "feedback.total",
    title: "The feedback list's total counts the matches of every page.",
    clauses: ["S-PAGE-1"],
    needs: [pages, listsBySort],
    async prove(context) {
      const whole = (await context.use(listsBySort)).get("rating") as Exchange;
      const expected = itemsOf(whole).length;
      for (const list of isWhole(whole) ? [whole, ...(await context.use(pages))] : []) {
        const seen = paginationOf(list, "total");
        if (seen !== expected)
          throw new Violation(`${summary(list)} does not count every match.`, { expected, seen, exchange: list });
      }
    },
  }),
];
