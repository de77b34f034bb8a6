import type { ClientSession } from "mongodb";
import { type FeedbackStatus, pastDraft } from "../domain/feedback.ts";
import type { Database, TesterTallyDocument } from "./database.ts";

/** Feedback that is new (no `from`), or has changed its status. */
export interface FeedbackMove {
  readonly projectId: string;
  readonly testerId: string;
  readonly from: FeedbackStatus | null;
  readonly to: FeedbackStatus;
}

type Numbers = Record<string, number>;

/**
 * Keeps the counts of feedback: those of each tester on a project, and the project's own with its distinct authors
 * (C-STATS-1). Tallies are read and written in one transaction, so that of two that change the same one, one starts
 * again. The project is written every time: so feedback collides with its project's deletion and change of status.
 */
export async function sendMoves(
  database: Database,
  session: ClientSession,
  moves: readonly FeedbackMove[],
): Promise<void> {
  if (moves.length === 0) return;
  const byTally = Map.groupBy(moves, ({ projectId, testerId }) => `${projectId}/${testerId}`);
  const ids = [...byTally.keys()];
  const query = { _id: ids.length === 1 ? (ids[0] ?? "") : { $in: ids } };
  const found = await database.testerTallies.find(query, { session, batchSize: ids.length + 1 }).toArray();
  const kept = new Map(found.map((tally) => [tally._id, tally]));
  const projects = new Map<string, Numbers>();
  const tallyUpdates = [...byTally].map(([_id, ofTally]) => {
    const projectId = ofTally[0]?.projectId ?? "";
    const change = changeBy(ofTally);
    const counts = projects.get(projectId) ?? {};
    addTo(counts, { ...change, ...authorsBy(kept.get(_id), change) });
    projects.set(projectId, counts);
    const update = { $inc: change, $setOnInsert: { projectId } };
    return { updateOne: { filter: { _id }, update, upsert: true } };
  });
  await database.testerTallies.bulkWrite(tallyUpdates, { session });
  const projectUpdates = [...projects].map(([_id, counts]) => ({
    updateOne: {
      filter: { _id },
      update: { $inc: Object.fromEntries(Object.entries(counts).map(([name, by]) => [`counts.${name}`, by])) },
    },
  }));
  await database.projects.bulkWrite(projectUpdates, { session });
}

function changeBy(moves: readonly FeedbackMove[]): Numbers {
  const change: Numbers = {};
  for (const { from, to } of moves) addTo(change, from ? { [from]: -1, [to]: 1 } : { [to]: 1 });
  return change;
}

/** By how much a tester's tally changes the number of a project's distinct authors. */
function authorsBy(tally: TesterTallyDocument | undefined, change: Numbers): Numbers {
  const before = (status: FeedbackStatus) => tally?.[status] ?? 0;
  const after = (status: FeedbackStatus) => before(status) + (change[status] ?? 0);
  const any = (of: (status: FeedbackStatus) => number) => Number(pastDraft.some((status) => of(status) > 0));
  return {
    testerRequests: any(after) - any(before),
    approvedTesters: Number(after("approved") > 0) - Number(before("approved") > 0),
  };
}

function addTo(numbers: Numbers, change: Readonly<Numbers>): void {
  for (const [name, by] of Object.entries(change)) numbers[name] = (numbers[name] ?? 0) + by;
}
