import { type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import {
  byDeveloper,
  elsewhere,
  feedbackListPath,
  firstDetail,
  firstFeedback,
  firstMark,
  firstSubmission,
  four,
  secondFeedback,
  testerIdOf,
} from "./feedback.ts";
import { itemsOf } from "./lists.ts";
import { feedbackStatuses, sortKeys } from "./texts.ts";

const settled: readonly Evidence<unknown>[] = [firstSubmission, four, byDeveloper, firstMark];

/** Lists of the first project once everything stands on it: the developer's submission and the mark too. */
const listing = <T>(
  name: string,
  tester: number,
  more: readonly Evidence<unknown>[],
  gather: (
    list: (query?: Record<string, string | number>) => Promise<Exchange>,
    context: Parameters<Evidence<T>["gather"]>[0],
  ) => Promise<T>,
): Evidence<T> =>
  evidence({
    name,
    needs: [...settled, ...more],
    cost: { tester },
    writes: true,
    async gather(context) {
      for (const one of settled) await context.use<unknown>(one);
      const { project } = await context.use(firstSubmission);
      return gather(
        (query) => context.send("tester", "GET", feedbackListPath(project), query ? { query } : {}),
        context,
      );
    },
  });

/** The list with no parameters. */
export const plainList = listing("a project's feedback being listed", 1, [], (list) => list());

/** The list for each status. */
export const listsByStatus = listing("feedback being filtered by status", 4, [], async (list) => {
  const lists = new Map<string, Exchange>();
  for (const status of feedbackStatuses) lists.set(status, await list({ status }));
  return lists;
});

/** The list of the author, and of someone who wrote nothing: the id of another record, which no author has. */
export const listsByTester = listing(
  "feedback being filtered by author",
  2,
  [firstDetail, firstFeedback, secondFeedback],
  async (list, context) => {
    const testerId = await testerIdOf(context);
    const candidates = [(await context.use(secondFeedback)).id, (await context.use(firstFeedback)).id];
    const nobody = candidates.find((id) => id !== testerId) ?? testerId;
    return { testerId, author: await list({ testerId }), nobody: await list({ testerId: nobody }) };
  },
);

/** The list for each sort key. */
export const listsBySort = listing("feedback being sorted", 3, [], async (list) => {
  const lists = new Map<string, Exchange>();
  for (const sort of sortKeys) lists.set(sort, await list({ sort, perPage: 10 }));
  return lists;
});

/** Pages of two, sorted by rating, until one is not full; three at most. */
export const pages = listing("feedback being paged", 3, [], async (list) => {
  const all: Exchange[] = [];
  for (const page of [1, 2, 3]) {
    const exchange = await list({ sort: "rating", page, perPage: 2 });
    all.push(exchange);
    if (itemsOf(exchange).length < 2) break;
  }
  return all;
});

/** The second project's list, once feedback stands on it. */
export const otherList: Evidence<Exchange> = evidence({
  name: "another project's feedback being listed",
  needs: [elsewhere, secondFeedback],
  cost: { tester: 1 },
  writes: true,
  async gather(context) {
    await context.use(secondFeedback);
    return context.send("tester", "GET", feedbackListPath((await context.use(elsewhere)).project));
  },
});
