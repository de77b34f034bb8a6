import { succeeded } from "../engine/assertions.ts";
import { type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { wordFor } from "./inputs.ts";
import { fieldsOf } from "./lists.ts";
import { ours, projects } from "./projects.ts";
import { categories, projectStatuses } from "./vocabulary.ts";

type Query = Readonly<Record<string, string | number>>;

interface Known {
  readonly run: string;
  /** Words that only one title, only one description, and nothing has. */
  readonly title: string;
  readonly description: string;
  readonly nothing: string;
  /** The status that the run's projects show, and one that they do not show. */
  readonly status: string;
  readonly otherStatus: string;
}

/** Queries with the developer's key, the most telling ones first. */
function queries({ run, title, description, nothing, status, otherStatus }: Known): Query[] {
  return [
    { search: run },
    { search: title },
    { search: description },
    { search: nothing },
    ...projectStatuses.map((one) => ({ status: one })),
    ...categories.map((category) => ({ category })),
    { search: title, category: "mobile" },
    { search: title, status },
    { search: run, status: otherStatus },
    { status, category: "mobile" },
    { status: otherStatus, category: "web" },
    { search: run, page: 1, perPage: 3 },
    { search: run, page: 2, perPage: 3 },
    { search: run, page: 3, perPage: 1 },
    { search: run, category: "mobile", page: 1, perPage: 1 },
    { search: run, status, page: 2, perPage: 3 },
    { search: title, perPage: 1 },
    { search: description, status: otherStatus, category: "mobile" },
    { status, page: 1, perPage: 2 },
    { category: "web", page: 2, perPage: 1 },
  ];
}

const testersQueries = ({ run, title, status, otherStatus }: Known): Query[] => [
  { search: run },
  { search: title },
  { search: run, category: "mobile" },
  { search: run, status: otherStatus },
  { search: run, page: 2, perPage: 3 },
  { status, category: "web" },
  { category: "desktop" },
];

/** More combinations, for full depth: each parameter beside each other. */
function moreQueries({ run, title, description, nothing, status, otherStatus }: Known): Query[] {
  const searches: Query[] = [{ search: run }, { search: title }, { search: description }, { search: nothing }];
  const statuses: Query[] = [{ status }, { status: otherStatus }];
  const kinds: Query[] = [{ category: "web" }, { category: "mobile" }, { category: "other" }];
  const pages: Query[] = [
    { page: 1 },
    { perPage: 1 },
    { page: 2, perPage: 1 },
    { page: 3, perPage: 1 },
    { page: 2, perPage: 2 },
    { page: 9, perPage: 20 },
  ];
  const crossed = (some: readonly Query[], others: readonly Query[]) =>
    some.flatMap((one) => others.map((other) => ({ ...one, ...other })));
  const filters = [...crossed(searches, statuses), ...crossed(searches, kinds), ...crossed(statuses, kinds)];
  return [
    ...projectStatuses.map((one) => ({ search: run, status: one })),
    ...categories.map((category) => ({ search: run, category })),
    ...filters,
    ...crossed([{ search: run }, { search: title }, ...statuses, ...kinds], pages),
    ...crossed(crossed([{ search: run }], statuses), kinds),
    ...crossed(
      [
        { search: run, status },
        { search: run, category: "web" },
        { status, category: "web" },
      ],
      pages.slice(2, 5),
    ),
  ];
}

/** The project list with every parameter, read by both keys before anything is changed. */
export const projectLists: Evidence<Readonly<Record<"tester" | "developer", readonly Exchange[]>>> = evidence({
  name: "projects being listed",
  needs: [ours, projects],
  cost: { developer: 4, tester: 1 },
  optional: { quick: { developer: 24, tester: 6 }, full: { developer: 120, tester: 90 } },
  writes: true,
  async gather(context) {
    const items = fieldsOf((await context.use(ours)).json).data;
    await context.use(projects);
    const shown = Array.isArray(items) ? items.map((item) => String(fieldsOf(item).status)) : [];
    const known: Known = {
      run: context.run,
      title: wordFor(context.run, "title"),
      description: wordFor(context.run, "description"),
      nothing: wordFor(context.run, "nothing"),
      status: projectStatuses.find((one) => shown.includes(one)) ?? "active",
      otherStatus: projectStatuses.findLast((one) => !shown.includes(one)) ?? "archived",
    };
    const lists: Record<"tester" | "developer", Exchange[]> = { tester: [], developer: [] };
    const ask = async (holder: "tester" | "developer", all: readonly Query[], most: number) => {
      for (const query of all.slice(0, most)) {
        if (!context.affords(holder)) return;
        lists[holder].push(await context.send(holder, "GET", "/projects", { query }));
      }
    };
    const full = context.depth === "full";
    await ask("developer", full ? [...queries(known), ...moreQueries(known)] : queries(known), full ? 120 : 28);
    await ask("tester", testersQueries(known), 7);
    const [first] = lists.tester;
    if (full && first && succeeded(first)) await ask("tester", [...queries(known), ...moreQueries(known)], 80);
    return lists;
  },
});

export interface PageBound {
  readonly largest: Exchange;
  readonly beyond: readonly Exchange[];
}

/** The largest page of projects, and pages beyond it. */
export const pageBound: Evidence<PageBound> = evidence({
  name: "large pages of projects",
  needs: [],
  cost: { developer: 3 },
  optional: { quick: { tester: 1 }, full: { developer: 3, tester: 3 } },
  writes: false,
  async gather(context) {
    const list = (query: Query, holder: "developer" | "tester" = "developer") =>
      context.send(holder, "GET", "/projects", { query });
    const largest = await list({ perPage: 100 });
    const beyond = [await list({ perPage: 101 }), await list({ page: 2, perPage: 101 })];
    if (context.affords("tester")) beyond.push(await list({ perPage: 101 }, "tester"));
    if (context.depth === "full") {
      const more: Query[] = [
        { perPage: 1_000 },
        { perPage: 101, category: "web" },
        { perPage: 101, search: context.run },
        { perPage: 101, status: "active" },
      ];
      for (const query of more) if (context.affords("developer")) beyond.push(await list(query));
    }
    return { largest, beyond };
  },
});
