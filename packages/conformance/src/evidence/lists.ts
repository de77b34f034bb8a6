import { isRecord, type Json, requireSuccess } from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Unmet } from "../engine/outcome.ts";

/** The items of a list that succeeded. @throws Unmet where it did not, or has no `data`; another check judges that */
export function itemsOf(exchange: Exchange): Json[] {
  requireSuccess(exchange, "The list");
  const data = isRecord(exchange.json) ? exchange.json.data : undefined;
  if (!Array.isArray(data) || !data.every(isRecord))
    throw new Unmet(`${summary(exchange)} has no \`data\` with records.`, exchange);
  return data;
}

/** A record's id as text: whether it is a string is judged by a check of its own. */
export const idOf = (item: Json): string => String(item.id);

export const idsOf = (exchange: Exchange): string[] => itemsOf(exchange).map(idOf);

/** A number of the envelope, undefined where it is missing or no integer. */
export function paginationOf(exchange: Exchange, name: "page" | "perPage" | "total"): number | undefined {
  const pagination = isRecord(exchange.json) ? exchange.json.pagination : undefined;
  const value = isRecord(pagination) ? pagination[name] : undefined;
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

/** A query parameter that was sent. */
export function sentQuery({ target }: Exchange, name: string): string | null {
  return new URL(target, "http://any").searchParams.get(name);
}

/** Whether a first page surely holds every match, because it is not full. */
export function isWhole(exchange: Exchange): boolean {
  const perPage = paginationOf(exchange, "perPage") ?? Number(sentQuery(exchange, "perPage") ?? 20);
  return Number(sentQuery(exchange, "page") ?? 1) === 1 && itemsOf(exchange).length < perPage;
}

/** Whether a list holds what the run made and that alone, so that no one else changes it between counting and listing. */
export const isOwn = (list: Exchange): boolean => isFeedbackList(list) || sentQuery(list, "search") !== null;

/** Whether a target is a list of the interface. */
export const isProjectList = ({ method, target }: Exchange): boolean =>
  method === "GET" && /^\/projects(\?|$)/.test(target);
export const isFeedbackList = ({ method, target }: Exchange): boolean =>
  method === "GET" && /^\/projects\/[^/]+\/feedback(\?|$)/.test(target);
