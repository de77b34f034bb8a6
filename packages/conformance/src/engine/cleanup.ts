import { isRecord, refused, succeeded } from "./assertions.ts";
import type { Exchange, Method } from "./exchange.ts";
import type { Holder } from "./keys.ts";
import type { Ledger } from "./ledger.ts";

type Send = (
  holder: Holder,
  method: Method,
  path: string,
  query?: Readonly<Record<string, string>>,
) => Promise<Exchange>;

/**
 * Deletes what the ledger says a run made, the latest first, and nothing else. Where the run ended before it learnt
 * an id, the project is looked for by the run's word and taken only if its title carries that word.
 *
 * @returns what could not be deleted, in words
 */
export async function cleanUp(ledger: Ledger, run: string, send: Send): Promise<string[]> {
  const left: string[] = [];
  const standing = ledger.standing();
  for (const { holder, id } of standing) {
    if (id !== undefined && !(await remove(ledger, holder, id, send))) left.push(`project ${id}`);
  }
  const unanswered = new Set(standing.flatMap(({ holder, id }) => (id === undefined ? [holder] : [])));
  for (const holder of unanswered) {
    for (const id of await carrying(run, holder, send)) {
      if (!(await remove(ledger, holder, id, send))) left.push(`project ${id}`);
    }
  }
  return left;
}

async function remove(ledger: Ledger, holder: Holder, id: string, send: Send): Promise<boolean> {
  try {
    const answer = await send(holder, "DELETE", `/projects/${encodeURIComponent(id)}`);
    // A refusal with 404 or 410 says that it is gone already.
    const gone = succeeded(answer) || (refused(answer) && [404, 410].includes(answer.status));
    if (gone) ledger.write({ did: "gone", id });
    return gone;
  } catch {
    return false;
  }
}

/** Ids of a holder's projects whose titles carry the run's word. */
async function carrying(run: string, holder: Holder, send: Send): Promise<string[]> {
  const answer = await send(holder, "GET", "/projects", { search: run, perPage: "100" }).catch(() => undefined);
  const data = isRecord(answer?.json) ? answer.json.data : undefined;
  if (!Array.isArray(data)) return [];
  return data.flatMap((item) =>
    isRecord(item) && typeof item.title === "string" && item.title.includes(run) ? [String(item.id)] : [],
  );
}
