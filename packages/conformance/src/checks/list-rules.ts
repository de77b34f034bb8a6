import {
  assertNoFaults,
  assertSuccess,
  equal,
  type Fault,
  faults,
  instant,
  type Rule,
  succeeded,
} from "../engine/assertions.ts";
import type { Context } from "../engine/check.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Violation } from "../engine/outcome.ts";
import { expectedSize, type ListView } from "../evidence/list-views.ts";
import { queryOf } from "../evidence/lists.ts";

/** What is known of whether a record belongs in a list: `in`, `unknown`, or the parameter that leaves it out. */
export type Place = "in" | "unknown" | "deleted" | "later" | "status" | "category" | "search" | "testerId" | "project";

/** The records of the run with their places in one list. */
export interface Expected {
  readonly view: ListView;
  readonly places: ReadonlyMap<string, Place>;
}

/** Ids of the records that a list must hold on its pages. */
export const belonging = ({ places }: Expected): string[] =>
  Array.from(places).flatMap(([id, place]) => (place === "in" ? [id] : []));

/** Whether everything is known of what a list may hold of the run's records. */
export const isCertain = ({ places }: Expected): boolean => ![...places.values()].includes("unknown");

/** @throws Violation where a list holds one of the run's records that a parameter leaves out */
export function assertLeftOut({ view, places }: Expected, parameter: Place): void {
  const wrong = view.items.filter((_, n) => places.get(view.ids[n] ?? "") === parameter);
  if (wrong.length === 0) return;
  throw new Violation(`${summary(view.list)} holds what ${parameter} leaves out.`, {
    expected: { [parameter]: view.query[parameter] ?? "none" },
    seen: wrong,
    exchange: view.list,
  });
}

/** @throws Violation where an item shows another value of the field by which the list is filtered */
export function assertItemsMatch({ view }: Expected, field: "status" | "category" | "testerId"): void {
  const value = view.query[field];
  const wrong = view.items.filter((item) => item[field] !== undefined && String(item[field]) !== value);
  if (wrong.length === 0) return;
  throw new Violation(`${summary(view.list)} holds items with another ${field}.`, {
    expected: { [field]: value },
    seen: wrong,
    exchange: view.list,
  });
}

/** @throws Violation where a list that holds all its matches lacks one of the run's records */
export function assertNoneLacking(expected: Expected, whole: boolean): void {
  const { view } = expected;
  const lacking = belonging(expected).filter((id) => !view.ids.includes(id));
  if (lacking.length === 0 || !whole) return;
  throw new Violation(`${summary(view.list)} lacks what it must hold.`, {
    expected: lacking,
    seen: view.ids,
    exchange: view.list,
  });
}

/** @throws Violation where a page holds another number of items than its numbers come to */
export function assertSize(view: ListView): void {
  const size = expectedSize(view);
  if (size === undefined || size === view.items.length) return;
  throw new Violation(`${summary(view.list)} does not hold the items that its page, perPage and total come to.`, {
    expected: { items: size, page: view.page, perPage: view.perPage, total: view.total },
    seen: { items: view.items.length },
    exchange: view.list,
  });
}

/** @throws Violation where a total is not the number of matches */
export function assertTotal({ list, total }: ListView, expected: number): void {
  if (total === undefined || total === expected) return;
  throw new Violation(`${summary(list)}: total does not count the matches.`, { expected, seen: total, exchange: list });
}

/** Pages of the same list, asked for with the same key and the same perPage. */
export function families(views: readonly ListView[]): ListView[][] {
  const groups = new Map<string, ListView[]>();
  for (const view of views) {
    const asked = new URLSearchParams(queryOf(view.list));
    asked.delete("page");
    asked.sort();
    const key = `${view.list.payer} ${view.projectId} ${asked}`;
    groups.set(key, [...(groups.get(key) ?? []), view]);
  }
  return [...groups.values()].map((group) => group.sort((one, other) => one.page - other.page));
}

/** @throws Violation where pages of one list share an item */
export function assertNoOverlap(family: readonly ListView[]): void {
  const seen = new Set<string>();
  for (const view of new Map(family.map((one) => [one.page, one])).values()) {
    const again = view.ids.filter((id) => seen.has(id));
    if (again.length > 0 || new Set(view.ids).size < view.ids.length)
      throw new Violation(`${summary(view.list)} repeats items of another page, or of its own.`, {
        expected: "each item once",
        seen: view.ids,
        exchange: view.list,
      });
    for (const id of view.ids) seen.add(id);
  }
}

/** @throws Violation where an item has a field too many, too few or of another type, or another value than the record */
export function assertItems(
  view: ListView,
  rules: Readonly<Record<string, Rule>>,
  valuesOf: (id: string) => Readonly<Record<string, unknown>>,
): void {
  const found = view.items.flatMap((item, n): Fault[] => {
    const values = Object.entries(valuesOf(view.ids[n] ?? "")).filter(([, value]) => value !== undefined);
    const { createdAt, ...others } = Object.fromEntries(values);
    const same = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, equal(value)]));
    // A list may tell the time to the second.
    const apart = Math.abs(instant(createdAt) - instant(item.createdAt)) >= 1000;
    return [
      ...faults(item, rules, { at: `data[${n}]`, exactly: true }),
      ...faults(item, {}, { at: `data[${n}]`, whereShown: same }),
      ...(apart ? [{ at: `data[${n}].createdAt`, expected: String(createdAt), seen: item.createdAt }] : []),
    ];
  });
  assertNoFaults(view.list, found);
}

/**
 * @throws Violation where a list with one of these parameters was refused. Beside another parameter that is refused by
 * itself, it is not judged: the other one is at fault.
 */
export function assertAccepted(context: Context, lists: readonly Exchange[], parameters: readonly string[]): void {
  const refusedAlone = new Set(
    lists.flatMap((list) => {
      const asked = [...queryOf(list)];
      return asked.length === 1 && !succeeded(list)
        ? asked.map(([name, value]) => `${list.payer} ${name}=${value}`)
        : [];
    }),
  );
  for (const list of lists) {
    if (succeeded(list) || list.retried) continue;
    const asked = [...queryOf(list)];
    if (!asked.some(([name]) => parameters.includes(name)) || isPastTheEnd(context, list)) continue;
    const culprits = asked.filter(([name, value]) => refusedAlone.has(`${list.payer} ${name}=${value}`));
    if (culprits.length > 0 && !culprits.some(([name]) => parameters.includes(name))) continue;
    assertSuccess(list);
  }
}

/** Whether a refused page may be past the last one: what answers it is not stated. */
function isPastTheEnd(context: Context, list: Exchange): boolean {
  const asked = queryOf(list);
  const page = Number(asked.get("page") ?? 1);
  if (page <= 1 || list.status < 400 || list.status >= 500) return false;
  const perPage = Number(asked.get("perPage") ?? 20);
  const path = list.target.split("?")[0];
  // Without a sibling that tells how much there is, nothing is known.
  asked.delete("page");
  asked.delete("perPage");
  asked.sort();
  const siblings = context.exchanges.filter((one) => {
    const other = queryOf(one);
    other.delete("page");
    other.delete("perPage");
    other.sort();
    return (
      succeeded(one) &&
      one.method === "GET" &&
      one.payer === list.payer &&
      one.target.split("?")[0] === path &&
      `${other}` === `${asked}`
    );
  });
  const totals = siblings.map(({ json }) => (json as { pagination?: { total?: unknown } }).pagination?.total);
  return !totals.some((total) => typeof total === "number" && total > (page - 1) * perPage);
}
