import { isRecord, type Json, succeeded } from "../engine/assertions.ts";
import { idsInPath } from "../engine/chain.ts";
import type { Exchange } from "../engine/exchange.ts";
import { idOf, isFeedbackList, isProjectList, paginationOf, queryOf } from "./lists.ts";

/** A list as it was asked for and answered. */
export interface ListView {
  readonly list: Exchange;
  /** The project whose feedback it lists; undefined for the project list. */
  readonly projectId: string | undefined;
  /** The filters and the order that were asked for, without page and perPage. */
  readonly query: Readonly<Record<string, string>>;
  readonly page: number;
  /** Items on a page, as the response tells or else as it was asked. */
  readonly perPage: number;
  readonly total: number | undefined;
  readonly items: readonly Json[];
  readonly ids: readonly string[];
}

/** The lists of projects or of feedback among the exchanges: those that succeeded, the latest where one was repeated. */
export function listViews(exchanges: readonly Exchange[], resource: "projects" | "feedback"): ListView[] {
  const isList = resource === "projects" ? isProjectList : isFeedbackList;
  const lists = exchanges.filter((one) => isList(one) && one.payer !== "nobody" && !one.retried);
  const writes = exchanges.filter(({ method, payer }) => method !== "GET" && payer !== "nobody");
  const superseded = (one: Exchange) => {
    const next = lists.find(
      (other) => other.number > one.number && other.payer === one.payer && other.target === one.target,
    );
    return next !== undefined && !writes.some(({ number }) => number > one.number && number < next.number);
  };
  return lists.flatMap((list) => {
    const data = isRecord(list.json) ? list.json.data : undefined;
    if (!succeeded(list) || !Array.isArray(data) || !data.every(isRecord) || superseded(list)) return [];
    const { page = "1", perPage = "20", ...query } = Object.fromEntries(queryOf(list));
    return [
      {
        list,
        projectId: resource === "projects" ? undefined : idsInPath(list)[0],
        query,
        page: Number(page),
        perPage: paginationOf(list, "perPage") ?? Number(perPage),
        total: paginationOf(list, "total"),
        items: data,
        ids: data.map(idOf),
      },
    ];
  });
}

/** Whether a first page surely holds every match. */
export function isWhole({ page, perPage, total, items }: ListView): boolean {
  return page === 1 && (items.length < perPage || total === items.length);
}

/** The number of items that a page must hold by the numbers that it tells; undefined where it tells no total. */
export function expectedSize({ page, perPage, total }: ListView): number | undefined {
  return total === undefined ? undefined : Math.min(perPage, Math.max(0, total - (page - 1) * perPage));
}

/** Whether a project list is limited to what this run created, so that nobody else changes it. */
export const isOwnSearch = ({ query }: ListView): boolean => query.search !== undefined;
