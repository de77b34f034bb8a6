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

/** The id of a record as text: whether it is a string is judged by a check of its own. */
export const idOf = (item: Json): string => String(item.id);

export const idsOf = (exchange: Exchange): string[] => itemsOf(exchange).map(idOf);

/** A number of the envelope, undefined where it is missing or no integer. */
export function paginationOf(exchange: Exchange, name: "page" | "perPage" | "total"): number | undefined {
  const pagination = isRecord(exchange.json) ? exchange.json.pagination : undefined;
  const value = isRecord(pagination) ? pagination[name] : undefined;
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

/** The query parameters that were sent. */
export const queryOf = ({ target }: Exchange): URLSearchParams => new URLSearchParams(target.split("?")[1] ?? "");

export const isProjectList = ({ method, target }: Exchange): boolean =>
  method === "GET" && /^\/projects(\?|$)/.test(target);
export const isFeedbackList = ({ method, target }: Exchange): boolean =>
  method === "GET" && /^\/projects\/[^/]+\/feedback(\?|$)/.test(target);

/** A record of an exchange's body, or an empty one. */
export const fieldsOf = (value: unknown): Json => (isRecord(value) ? value : {});
