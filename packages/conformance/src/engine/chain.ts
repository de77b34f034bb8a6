import { isRecord } from "./assertions.ts";
import type { Exchange } from "./exchange.ts";

/** Fields of a response whose values later requests use. */
export const idFields = ["id", "testerId", "projectId"] as const;

/** Every id that a value shows, at any depth. */
function idsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) idsIn(item, found);
  if (!isRecord(value)) return found;
  for (const [name, part] of Object.entries(value)) {
    const isId = idFields.some((field) => field === name);
    if (isId && (typeof part === "string" || typeof part === "number")) found.add(String(part));
    else idsIn(part, found);
  }
  return found;
}

/** The ids in the path of a request, decoded. */
export const idsInPath = ({ target }: Exchange): string[] => {
  const [, , id] = (target.split("?")[0] ?? "").split("/");
  return id === undefined ? [] : [decodeURIComponent(id)];
};

const isWrite = ({ method }: Exchange): boolean => method !== "GET" && method !== "HEAD" && method !== "OPTIONS";

/** Whether it created a record. */
export const creates = ({ method, target, status, json }: Exchange): boolean =>
  method === "POST" &&
  status < 300 &&
  /^\/projects(\/[^/]+\/feedback)?$/.test(target) &&
  isRecord(json) &&
  json.id != null;

/**
 * The exchanges that are needed to show one again, in order: those that created the records it mentions, and every
 * write to these records before it.
 */
export function chainOf(shown: Exchange, all: readonly Exchange[]): Exchange[] {
  const chain = new Set<Exchange>([shown]);
  const ids = new Set<string>([...idsInPath(shown), ...idsIn(shown.json)]);
  const earlier = all.filter(({ number, payer, retried }) => number < shown.number && payer !== "nobody" && !retried);
  for (let size = -1; size !== chain.size + ids.size; ) {
    size = chain.size + ids.size;
    for (const exchange of earlier) {
      if (chain.has(exchange) || !isWrite(exchange)) continue;
      const created = creates(exchange) && isRecord(exchange.json) && ids.has(String(exchange.json.id));
      const changed = !creates(exchange) && idsInPath(exchange).some((id) => ids.has(id));
      if (!created && !changed) continue;
      chain.add(exchange);
      for (const id of idsInPath(exchange)) ids.add(id);
    }
  }
  return [...chain].sort((one, other) => one.number - other.number);
}
