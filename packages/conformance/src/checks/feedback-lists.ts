import { type Exchange, spoken } from "../engine/exchange.ts";
import {
  demandSuccess,
  equal,
  faults,
  identifier,
  instant,
  integer,
  oneOf,
  relyOn,
  succeeded,
  timestamp,
  verify,
} from "../engine/judge.ts";
import { Unmet, Violation } from "../engine/outcome.ts";
import type { Stage } from "../engine/stage.ts";
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
import { verifyFilter, verifyTotals } from "./matching.ts";

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

function demandMonotonic(list: Exchange, field: "overallRating" | "createdAt", numbers: readonly number[]): void {
  if (numbers.some(Number.isNaN)) throw new Unmet(`${spoken(list)} does not show every ${field}.`, list);
  if (monotonic(numbers)) return;
  throw new Violation(`${spoken(list)} is not in the order of ${field}, in either direction.`, {
    expected: "rising or falling throughout",
    seen: itemsOf(list).map((item) => item[field]),
    exchange: list,
  });
}

const standing = [four, byDeveloper, firstSubmission] as const;

/** A field of the feedback that the run put on the first project, as the list without filters shows it. */
async function ownItems(stage: Stage, field: "status" | "testerId"): Promise<Map<string, unknown>> {
  const { sure, other } = await onFirstProject(stage);
  const own = new Set([...sure, ...(other ? [other] : [])].map(({ id }) => id));
  const items = itemsOf(await stage.use(plainList)).filter((item) => own.has(idOf(item)));
  return new Map(items.map((item) => [idOf(item), item[field]]));
}

export const feedbackLists = [
  stated({
    id: "feedback.list-item",
    title:
      "An item of the feedback list has exactly id, projectId, testerId, overallRating, status and createdAt, with the feedback's values.",
    clauses: ["S-FB-LIST-1", "S-BASE-1"],
    needs: [plainList, otherList, ...standing],
    async prove(stage) {
      const list = await stage.use(plainList);
      for (const each of [list, await stage.use(otherList)]) {
        demandSuccess(each);
        verify(
          each,
          itemsOf(each).flatMap((item, n) => faults(item, itemRules, { at: `data[${n}]`, exactly: true })),
        );
      }
      const { project } = await stage.use(firstSubmission);
      for (const { id, sent } of (await onFirstProject(stage)).sure) {
        const item = itemsOf(list).find((one) => idOf(one) === id);
        const rules = { projectId: equal(project.id), overallRating: equal(sent.overallRating) };
        if (item) verify(list, faults(item, rules, { at: `the item of ${id}` }));
      }
    },
  }),
  stated({
    id: "feedback.list-holds",
    title: "A project's feedback list holds the feedback that was submitted on it, and none of another project.",
    clauses: ["S-FB-LIST-1"],
    needs: [plainList, otherList, secondFeedback, firstFeedback, ...standing],
    async prove(stage) {
      const lists = [await stage.use(plainList), await stage.use(otherList)] as const;
      for (const list of lists) demandSuccess(list);
      const here = (await onFirstProject(stage)).sure.map(({ id }) => id);
      const there = (await stage.use(secondFeedback)).id;
      const lacking = [
        here.filter((id) => !idsOf(lists[0]).includes(id)),
        [there].filter((id) => !idsOf(lists[1]).includes(id)),
      ];
      const foreign = [idsOf(lists[0]).filter((id) => id === there), idsOf(lists[1]).filter((id) => here.includes(id))];
      lists.forEach((list, n) => {
        if (foreign[n]?.length)
          throw new Violation(`${spoken(list)} holds feedback of another project.`, {
            expected: "none",
            seen: foreign[n],
            exchange: list,
          });
        if (lacking[n]?.length && isWhole(list))
          throw new Violation(`${spoken(list)} lacks feedback of its project.`, {
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
    async prove(stage) {
      const known = await ownItems(stage, "status");
      for (const [status, list] of await stage.use(listsByStatus))
        verifyFilter(list, { field: "status", value: status, known });
    },
  }),
  stated({
    id: "feedback.tester-filter",
    title: "The feedback list's testerId keeps that author's feedback and no other.",
    clauses: ["S-FB-LIST-2"],
    needs: [listsByTester, plainList, ...standing],
    async prove(stage) {
      const { testerId, author, nobody } = await stage.use(listsByTester);
      const known = await ownItems(stage, "testerId");
      verifyFilter(author, { field: "testerId", value: testerId, known });
      // An id that is none of an author's may be refused for its form.
      if (succeeded(nobody)) {
        const asked = new URLSearchParams(nobody.target.split("?")[1]).get("testerId");
        verifyFilter(nobody, { field: "testerId", value: asked, known });
      }
    },
  }),
  stated({
    id: "feedback.filtered-total",
    title: "The total of a feedback list, filtered or not, counts what was kept.",
    clauses: ["S-PAGE-1", "S-FB-LIST-2"],
    needs: [listsByStatus, listsByTester, plainList],
    async prove(stage) {
      const { author, nobody } = await stage.use(listsByTester);
      verifyTotals([await stage.use(plainList), ...(await stage.use(listsByStatus)).values(), author, nobody]);
    },
  }),
  stated({
    id: "feedback.sort-date",
    title: "sort=date orders the feedback list by date, in either direction.",
    clauses: ["S-FB-LIST-3"],
    needs: [listsBySort],
    async prove(stage) {
      const list = (await stage.use(listsBySort)).get("date") as Exchange;
      demandSuccess(list);
      demandMonotonic(
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
    async prove(stage) {
      const list = (await stage.use(listsBySort)).get("rating") as Exchange;
      demandSuccess(list);
      demandMonotonic(
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
    async prove(stage) {
      const list = (await stage.use(listsBySort)).get("helpful") as Exchange;
      const { marked, answer } = await stage.use(firstMark);
      demandSuccess(list);
      relyOn(answer, "Marking the feedback");
      const ids = idsOf(list);
      if (ids.at(0) === marked.id || ids.at(-1) === marked.id) return;
      throw new Violation(`${spoken(list)} does not put the one that is marked at an end.`, {
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
    async prove(stage) {
      const lists = await stage.use(pages);
      for (const list of lists) demandSuccess(list);
      const seen = lists.flatMap(idsOf);
      const lacking = idsOf((await stage.use(listsBySort)).get("rating") as Exchange).filter(
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
    async prove(stage) {
      const lists = await stage.use(pages);
      for (const list of lists) demandSuccess(list);
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
    async prove(stage) {
      const whole = (await stage.use(listsBySort)).get("rating") as Exchange;
      const expected = itemsOf(whole).length;
      for (const list of isWhole(whole) ? [whole, ...(await stage.use(pages))] : []) {
        const seen = paginationOf(list, "total");
        if (seen !== expected)
          throw new Violation(`${spoken(list)} does not count every match.`, { expected, seen, exchange: list });
      }
    },
  }),
];
