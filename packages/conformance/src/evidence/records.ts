import { isRecord, type Json, succeeded } from "../engine/assertions.ts";
import { creates, idsInPath } from "../engine/chain.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Payer } from "../engine/terms.ts";
import { fieldsOf, isFeedbackList, isProjectList, queryOf } from "./lists.ts";

/** A state in which a record was shown: in its detail, or as the item of a list. */
interface Sighting {
  /** Number of the exchange. */
  readonly number: number;
  readonly payer: Payer;
  readonly shown: Json;
  readonly inDetail: boolean;
  /** Shown by a list that filters by status. */
  readonly filteredByStatus: boolean;
}

/** A record that the run created, with all that the exchanges tell of it. */
export interface KnownRecord {
  readonly id: string;
  readonly created: number;
  readonly sent: Json;
  /** The project of feedback; undefined for a project. */
  readonly projectId: string | undefined;
  /** Number of the exchange that deleted it, or of the first attempt with a valid key. */
  readonly deleted: number | undefined;
  /** Numbers of the requests that may have changed it. */
  readonly writes: readonly number[];
  readonly sightings: readonly Sighting[];
}

const latest = new WeakMap<readonly Exchange[], { readonly length: number; readonly records: Records }>();

/** What the exchanges of a run tell of the records that it created. */
export class Records {
  readonly projects: readonly KnownRecord[];
  readonly feedback: readonly KnownRecord[];

  /** The records of all exchanges so far; the same object until there is another exchange. */
  static of(exchanges: readonly Exchange[]): Records {
    const known = latest.get(exchanges);
    if (known?.length === exchanges.length) return known.records;
    const records = new Records(exchanges);
    latest.set(exchanges, { length: exchanges.length, records });
    return records;
  }

  private constructor(exchanges: readonly Exchange[]) {
    const created = exchanges.filter(creates);
    const sightings = sightingsIn(exchanges);
    const writes = exchanges
      .filter(({ method, target }) => !["GET", "HEAD", "OPTIONS"].includes(method) && !target.endsWith("/feedback"))
      .map((write) => ({ write, ids: idsInPath(write) }));
    const known = created.map((exchange): KnownRecord => {
      const id = String(fieldsOf(exchange.json).id);
      const [projectId] = idsInPath(exchange);
      const own = writes.filter(({ ids }) => ids.includes(id)).map(({ write }) => write);
      return {
        id,
        created: exchange.number,
        sent: bodyOf(exchange),
        projectId,
        deleted: own.find(({ method, payer }) => method === "DELETE" && payer !== "nobody")?.number,
        writes: own.map(({ number }) => number),
        sightings: sightings.get(id) ?? [],
      };
    });
    this.projects = known.filter(({ projectId }) => projectId === undefined);
    this.feedback = known.filter(({ projectId }) => projectId !== undefined);
  }
}

function bodyOf({ requestBody }: Exchange): Json {
  try {
    return fieldsOf(JSON.parse(requestBody ?? "{}"));
  } catch {
    return {};
  }
}

function sightingsIn(exchanges: readonly Exchange[]): Map<string, Sighting[]> {
  const found = new Map<string, Sighting[]>();
  const add = (exchange: Exchange, shown: unknown, inDetail: boolean) => {
    if (!isRecord(shown) || shown.id === undefined) return;
    const { number, payer } = exchange;
    const filteredByStatus = queryOf(exchange).has("status");
    const all = found.get(String(shown.id)) ?? [];
    all.push({ number, payer, shown, inDetail, filteredByStatus });
    found.set(String(shown.id), all);
  };
  for (const exchange of exchanges) {
    if (exchange.method !== "GET" || !succeeded(exchange) || exchange.payer === "nobody") continue;
    if (isProjectList(exchange) || isFeedbackList(exchange)) {
      const { data } = fieldsOf(exchange.json);
      if (Array.isArray(data)) for (const item of data) add(exchange, item, false);
    } else add(exchange, exchange.json, true);
  }
  return found;
}

/**
 * The value of a field as the detail showed it, with no request between that may have changed it; what was sent where
 * it was never shown and never changed. Undefined where neither is known.
 */
export function valueAt(record: KnownRecord, field: string, number: number): unknown {
  const unchanged = (at: number) =>
    !record.writes.some((write) => write > Math.min(at, number) && write < Math.max(at, number));
  const details = record.sightings.filter(({ inDetail, number: at }) => inDetail && unchanged(at));
  const nearest = details.findLast((one) => one.number < number) ?? details.find((one) => one.number > number);
  if (nearest) return nearest.shown[field];
  return record.writes.every((write) => write > number) ? record.sent[field] : undefined;
}

/** The status of a record, where it was the same before and after; a status may change by itself. */
export function statusAt(record: KnownRecord, number: number): unknown {
  const all = record.sightings.filter(({ filteredByStatus }) => !filteredByStatus);
  const before = all.findLast((one) => one.number <= number);
  const after = all.find((one) => one.number >= number);
  return before && after && before.shown.status === after.shown.status ? before.shown.status : undefined;
}

/** Whether a key was shown the record at any time. */
export const wasSeenBy = (record: KnownRecord, payer: Payer): boolean =>
  record.sightings.some((one) => one.payer === payer);
