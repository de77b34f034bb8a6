import { succeeded } from "../engine/assertions.ts";
import { type Context, type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import {
  developersSubmission,
  feedbackListPath,
  firstDetailNeeds,
  firstFeedback,
  firstSubmission,
  marks,
  secondFeedback,
  secondSubmission,
  submissions,
  testerIdOf,
} from "./feedback.ts";
import { fieldsOf, paginationOf } from "./lists.ts";
import { feedbackStatuses, sortKeys } from "./vocabulary.ts";

type Query = Readonly<Record<string, string | number>>;

/** Pages that are read at most to learn what a list holds. */
const mostPages = 12;

const settled = [firstSubmission, firstFeedback, submissions, developersSubmission, marks] as const;

/** What the queries of one key build on. */
interface Known {
  readonly testerId: string;
  /** The id of a record, which no author has. */
  readonly nobody: string;
  /** The status that the run's feedback shows, and one that it does not show. */
  readonly status: string;
  readonly otherStatus: string;
  /** A page size that the server is known to accept, two where it can be. */
  readonly small: number;
}

/** Queries of the reading key, the most telling ones first. */
function queries({ testerId, nobody, status, otherStatus, small }: Known): Query[] {
  return [
    ...feedbackStatuses.map((one) => ({ status: one })),
    { testerId },
    ...sortKeys.map((sort) => ({ sort })),
    { testerId: nobody },
    { page: 1, perPage: 1 },
    { page: 2, perPage: 1 },
    { page: 3, perPage: 1 },
    { sort: "rating", page: 1, perPage: small },
    { sort: "rating", page: 2, perPage: small },
    { sort: "date", page: 2, perPage: small },
    { sort: "rating", status },
    { sort: "date", testerId },
    { sort: "helpful", perPage: 1 },
    { status: otherStatus, testerId },
    { status, testerId: nobody },
    { testerId, page: 2, perPage: 1 },
    { status, page: 2, perPage: 1 },
    { sort: "rating", testerId: nobody },
    { sort: "rating", status: otherStatus },
  ];
}

/** More combinations, for full depth: each parameter beside each other. */
function moreQueries({ testerId, nobody, status, otherStatus, small }: Known): Query[] {
  const filters: Query[] = [
    { status },
    { status: otherStatus },
    { testerId },
    { testerId: nobody },
    { status, testerId },
  ];
  const pages: Query[] = [{ page: 1 }, { perPage: small }, { page: 2, perPage: small }, { page: 3, perPage: 1 }];
  const sorts: Query[] = sortKeys.map((sort) => ({ sort }));
  const crossed = (some: readonly Query[], others: readonly Query[]) =>
    some.flatMap((one) => others.map((other) => ({ ...one, ...other })));
  return [
    ...crossed(sorts, filters),
    ...crossed(filters, pages),
    ...crossed(sorts, pages),
    { status, testerId, sort: "rating", page: 1, perPage: small },
  ];
}

/** The list of one key without parameters, on all its pages. */
async function wholeList(context: Context, holder: "tester" | "developer", at: string): Promise<Exchange[]> {
  const first = await context.send(holder, "GET", at);
  const pages = [first];
  const [total = 0, perPage = 20] = [paginationOf(first, "total"), paginationOf(first, "perPage")];
  for (let page = 2; succeeded(first) && perPage > 0 && (page - 1) * perPage < total && page <= mostPages; page += 1) {
    if (!context.affords(holder)) break;
    pages.push(await context.send(holder, "GET", at, { query: { page } }));
  }
  return pages;
}

/** The feedback lists of the main project, once everything is on it: read by both keys, with every parameter. */
export const feedbackLists: Evidence<Readonly<Record<"tester" | "developer", readonly Exchange[]>>> = evidence({
  name: "the feedback of a project being listed",
  needs: [...settled, ...firstDetailNeeds],
  cost: { tester: 1, developer: 1 },
  optional: { quick: { tester: 36, developer: 16 }, full: { tester: 110, developer: 110 } },
  writes: true,
  async gather(context) {
    for (const one of settled) await context.use<unknown>(one);
    const { projectId } = await context.use(firstSubmission);
    const at = feedbackListPath(projectId);
    const whole = {
      tester: await wholeList(context, "tester", at),
      developer: await wholeList(context, "developer", at),
    };
    const testerReads = whole.tester.every(succeeded);
    const known = await knownFrom(context, testerReads ? whole.tester : whole.developer);
    const ask = async (holder: "tester" | "developer", all: readonly Query[], most: number) => {
      const before = context.exchanges.length;
      for (const query of all) {
        if (context.exchanges.length - before >= most || !context.affords(holder)) return;
        const list = await context.send(holder, "GET", at, { query });
        whole[holder].push(list);
        // An order that does not fit on one page goes on on the next.
        const [total = 0, perPage = 0] = [paginationOf(list, "total"), paginationOf(list, "perPage")];
        const goesOn = "sort" in query && !("page" in query) && !("perPage" in query) && perPage < total;
        if (goesOn && context.affords(holder))
          whole[holder].push(await context.send(holder, "GET", at, { query: { ...query, page: 2 } }));
      }
    };
    const full = context.depth === "full";
    const first = testerReads ? "tester" : "developer";
    const all = [...queries(known), ...(full ? moreQueries(known) : [])];
    await ask(first, all, full ? 100 : first === "tester" ? 34 : 14);
    const other = first === "tester" ? "developer" : "tester";
    if (whole[other].every(succeeded)) {
      const some = [
        { sort: "rating" },
        { testerId: known.testerId },
        { status: known.otherStatus },
        { page: 2, perPage: 1 },
      ];
      await ask(other, full ? all : some, full ? 100 : 4);
    }
    // Read again at the end: a status that changed meanwhile shows.
    if (context.affords(first)) whole[first].push(await context.send(first, "GET", at));
    return whole;
  },
});

async function knownFrom(context: Context, pages: readonly Exchange[]): Promise<Known> {
  const testerId = await testerIdOf(context);
  const { usual } = await context.use(submissions);
  const ids = usual.map(({ id }) => id);
  const items = pages.filter(succeeded).flatMap(({ json }) => {
    const { data } = fieldsOf(json);
    return Array.isArray(data) ? data.map(fieldsOf) : [];
  });
  const shown = items.filter(({ id }) => ids.includes(String(id))).map(({ status }) => String(status));
  const status = feedbackStatuses.find((one) => shown.includes(one)) ?? "submitted";
  const otherStatus = feedbackStatuses.findLast((one) => !shown.includes(one) && one !== "draft") ?? "rejected";
  const perPage = pages[0] && succeeded(pages[0]) ? (paginationOf(pages[0], "perPage") ?? 20) : 20;
  const nobody = ids.find((id) => id !== testerId) ?? testerId;
  return { testerId, nobody, status, otherStatus, small: Math.max(1, Math.min(2, perPage)) };
}

/** The list of the second project, once feedback is on it, read by both keys. */
export const secondList: Evidence<readonly Exchange[]> = evidence({
  name: "the feedback of another project being listed",
  needs: [secondSubmission, secondFeedback],
  cost: { tester: 1, developer: 1 },
  writes: true,
  async gather(context) {
    await context.use(secondFeedback);
    const at = feedbackListPath((await context.use(secondSubmission)).projectId);
    return [await context.send("developer", "GET", at), await context.send("tester", "GET", at)];
  },
});
