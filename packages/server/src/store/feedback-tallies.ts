import type { ClientSession } from "mongodb";
import { type FeedbackStatus, pastDraft } from "../domain/feedback.ts";
import type { Database, TesterTallyDocument } from "./database.ts";
import { find } from "./find.ts";
import { update } from "./update.ts";

/** Feedback that is new (no `from`), deleted (no `to`), or has changed its status. */
export interface FeedbackTransition {
  readonly projectId: string;
  readonly testerId: string;
  readonly from: FeedbackStatus | null;
  readonly to: FeedbackStatus | null;
}

type Numbers = Record<string, number>;

/**
 * Writes the counts of feedback: those of each tester on a project, and the project's own with its distinct authors
 * (C-STATS-1). A tally is written and read in one transaction; of two transactions that change the same tally, one
 * starts again. The project is written every time, so that feedback conflicts with the deletion of its project and with
 * changes of its status.
 */
export async function writeFeedbackTallies(
  database: Database,
  session: ClientSession,
  transitions: readonly FeedbackTransition[],
): Promise<void> {
  if (transitions.length === 0) return;
  const changes = new Map<string, { readonly projectId: string; readonly change: Numbers }>();
  for (const [id, ofTally] of Map.groupBy(transitions, ({ projectId, testerId }) => `${projectId}/${testerId}`)) {
    changes.set(id, { projectId: ofTally[0]?.projectId ?? "", change: changeBy(ofTally) });
  }
  const tallyUpdates = [...changes].map(([_id, { projectId, change }]) => ({
    q: { _id },
    u: { $inc: change, $setOnInsert: { projectId } },
    upsert: true as const,
  }));
  const made = await update(database, "testerTallies", tallyUpdates, session);
  // Most testers have nothing yet on a project that they write about: their tallies need not be read.
  const kept = await talliesOf(
    database,
    session,
    [...changes.keys()].filter((id) => !made.has(id)),
  );
  const projects = new Map<string, Numbers>();
  for (const [id, { projectId, change }] of changes) {
    const counts = projects.get(projectId) ?? {};
    addTo(counts, { ...change, ...authorsBy(change, kept.get(id) ?? change) });
    projects.set(projectId, counts);
  }
  const projectUpdates = [...projects].map(([_id, counts]) => ({
    q: { _id },
    u: { $inc: Object.fromEntries(Object.entries(counts).map(([name, by]) => [`counts.${name}`, by])) },
  }));
  await update(database, "projects", projectUpdates, session);
}

async function talliesOf(database: Database, session: ClientSession, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, TesterTallyDocument>();
  const found = await find<TesterTallyDocument>(database, "testerTallies", { filter: { _id: { $in: ids } } }, session);
  return new Map(found.map((tally) => [tally._id, tally]));
}

function changeBy(transitions: readonly FeedbackTransition[]): Numbers {
  const change: Numbers = {};
  for (const { from, to } of transitions) addTo(change, { ...(from && { [from]: -1 }), ...(to && { [to]: 1 }) });
  return change;
}

/** By how much a change changes the number of a project's distinct authors; `tally` is what the tester has after it. */
function authorsBy(change: Numbers, tally: Readonly<Partial<Record<FeedbackStatus, number>>>): Numbers {
  const after = (status: FeedbackStatus) => tally[status] ?? 0;
  const before = (status: FeedbackStatus) => after(status) - (change[status] ?? 0);
  const any = (of: (status: FeedbackStatus) => number) => Number(pastDraft.some((status) => of(status) > 0));
  return {
    testerRequests: any(after) - any(before),
    approvedTesters: Number(after("approved") > 0) - Number(before("approved") > 0),
  };
}

function addTo(numbers: Numbers, change: Readonly<Numbers>): void {
  for (const [name, by] of Object.entries(change)) numbers[name] = (numbers[name] ?? 0) + by;
}
