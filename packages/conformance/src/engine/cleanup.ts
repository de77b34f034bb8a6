import { isRecord, refused, succeeded } from "./assertions.ts";
import type { Exchange, Method } from "./exchange.ts";
import type { Ledger } from "./ledger.ts";
import type { Holder } from "./terms.ts";

type Send = (
  holder: Holder,
  method: Method,
  path: string,
  query?: Readonly<Record<string, string>>,
) => Promise<Exchange>;

/**
 * Deletes what a run created by its ledger, the latest first, and nothing else. Where the run ended before it learned
 * an id, the project is searched for by the word of the run, and taken only if its title holds that word.
 *
 * @returns what could not be deleted
 */
export async function cleanUp(ledger: Ledger, run: string, send: Send): Promise<string[]> {
  const left: string[] = [];
  const standing = ledger.standing();
  const missing: { readonly holder: Holder; readonly id: string }[] = [];
  const done = new Set<string>();
  for (const { holder, id } of standing) {
    if (id === undefined) continue;
    const outcome = await remove(ledger, holder, id, send);
    if (outcome === "left") left.push(`project ${id}`);
    if (outcome === "missing") missing.push({ holder, id });
    done.add(id);
  }
  // A server that cannot delete at all answers 404 too: what its list still shows is not deleted.
  for (const holder of new Set(missing.map((project) => project.holder))) {
    const listed = await carrying(run, holder, send);
    for (const { id } of missing.filter((project) => project.holder === holder)) {
      if (listed.includes(id)) left.push(`project ${id}`);
      else ledger.write({ did: "gone", id });
    }
  }
  const unanswered = new Set(standing.flatMap(({ holder, id }) => (id === undefined ? [holder] : [])));
  for (const holder of unanswered) {
    for (const id of await carrying(run, holder, send)) {
      if (!done.has(id) && (await remove(ledger, holder, id, send)) !== "gone") left.push(`project ${id}`);
    }
  }
  return left;
}

/** Deletes one project; "missing" where the server says that there is none. */
async function remove(ledger: Ledger, holder: Holder, id: string, send: Send): Promise<"gone" | "missing" | "left"> {
  try {
    const answer = await send(holder, "DELETE", `/projects/${encodeURIComponent(id)}`);
    if (refused(answer) && [404, 410].includes(answer.status)) return "missing";
    if (!succeeded(answer)) return "left";
    ledger.write({ did: "gone", id });
    return "gone";
  } catch {
    return "left";
  }
}

/** Ids of the projects of a holder whose titles hold the word of the run. */
async function carrying(run: string, holder: Holder, send: Send): Promise<string[]> {
  const answer = await send(holder, "GET", "/projects", { search: run, perPage: "100" }).catch(() => undefined);
  const data = isRecord(answer?.json) ? answer.json.data : undefined;
  if (!Array.isArray(data)) return [];
  return data.flatMap((item) =>
    isRecord(item) && typeof item.title === "string" && item.title.includes(run) ? [String(item.id)] : [],
  );
}
