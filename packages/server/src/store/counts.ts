import type { ClientSession, Document } from "mongodb";
import type { Database } from "./database.ts";
import { cellOf, writeProjectTallies } from "./project-tallies.ts";

/** A stored count that differs from the number of records, or a project that is public and should not be. */
export interface Difference {
  readonly kind: "projects" | "project feedback" | "tester feedback" | "helpful marks" | "archived drafts";
  /** What has the wrong count: an audience with status and category, a project, a project and tester, or feedback. */
  readonly of: string;
  /** What must be added to the stored counts to correct them. */
  readonly off: Readonly<Record<string, number>>;
}

const statuses = ["draft", "submitted", "approved", "rejected"] as const;
const projectCounts = [...statuses, "testerRequests", "approvedTesters"] as const;

/**
 * Counts all records and compares the result with the stored counts, at one point in time, while the service runs. It
 * takes minutes for millions of records.
 */
export async function verifyCounts(database: Database): Promise<Difference[]> {
  const session = database.client.startSession({ snapshot: true });
  try {
    // What is left of deleted projects is counted nowhere (C-PROJ-5).
    const deleted = await database.deletions.distinct("_id", {}, { session });
    const live = { $match: { projectId: { $nin: deleted } } };
    return [
      ...(await projectDifferences(database, session)),
      ...(await feedbackDifferences(database, session, live)),
      ...(await testerDifferences(database, session, live)),
      ...(await markDifferences(database, session, live)),
      ...(await archivedDrafts(database, session)),
    ];
  } finally {
    await session.endSession();
  }
}

/**
 * Adds what was off. Repositories and counts change together, so what was off at one point in time stays off by as much,
 * and can be added while others write.
 */
export async function repairCounts(database: Database, differences: readonly Difference[]): Promise<void> {
  for (const { kind, of, off } of differences) {
    switch (kind) {
      case "projects": {
        const [audience = "", cell = ""] = of.split("/");
        const change = { $inc: { [`cells.${cell}`]: off.projects ?? 0 }, $setOnInsert: { audience } };
        await database.projectTallies.updateOne({ _id: `${audience}/0` }, change, { upsert: true });
        break;
      }
      case "project feedback": {
        const $inc = Object.fromEntries(Object.entries(off).map(([name, by]) => [`counts.${name}`, by]));
        await database.projects.updateOne({ _id: of }, { $inc });
        break;
      }
      case "tester feedback": {
        const [projectId = ""] = of.split("/");
        await database.testerTallies.updateOne(
          { _id: of },
          { $inc: off, $setOnInsert: { projectId } },
          { upsert: true },
        );
        break;
      }
      case "helpful marks":
        await database.feedback.updateOne({ _id: of }, { $inc: { helpfulCount: off.helpfulCount ?? 0 } });
        break;
      case "archived drafts":
        await hideArchivedDraft(database, of);
        break;
    }
  }
}

/**
 * Archived projects that a server before 1.1 wrote and that seem never to have been active: feedback is taken only while
 * a project is active, and they have none. Such a server showed them to everybody (C-PROJ-4).
 */
async function archivedDrafts({ projects }: Database, session: ClientSession): Promise<Difference[]> {
  const noFeedback = Object.fromEntries(statuses.map((status) => [`counts.${status}`, 0]));
  const filter = { status: "archived", wasActive: { $exists: false }, ...noFeedback } as const;
  const found = await projects.find(filter, { session, projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => ({ kind: "archived drafts", of: _id, off: { public: -1 } }));
}

/** Shows a project to its owner alone; activating it publishes it again. */
async function hideArchivedDraft(database: Database, id: string): Promise<void> {
  const hide = async (session: ClientSession) => {
    const before = await database.projects.findOneAndUpdate(
      { _id: id, status: "archived", wasActive: { $exists: false } },
      [{ $set: { wasActive: false, audience: "$ownerId" } }],
      { session },
    );
    if (!before) return;
    const { audience, ownerId } = before;
    const cell = cellOf(before);
    await writeProjectTallies(database, session, 0, [
      { audience, cell, by: -1 },
      { audience: ownerId, cell, by: 1 },
    ]);
  };
  const options = { readPreference: "primary", writeConcern: { w: "majority" } } as const;
  await database.client.withSession((session) => session.withTransaction(hide, options));
}

async function projectDifferences({ projects }: Database, session: ClientSession): Promise<Difference[]> {
  const kept = [
    { $project: { audience: 1, cell: { $objectToArray: "$cells" } } },
    { $unwind: "$cell" },
    { $project: { _id: { $concat: ["$audience", "/", "$cell.k"] }, projects: { $multiply: [-1, "$cell.v"] } } },
  ];
  const _id = { $concat: ["$audience", "/", "$status", ":", "$category"] };
  const counted = [{ $group: { _id, projects: { $sum: 1 } } }];
  const found = await projects
    .aggregate(compare(counted, "projectTallies", kept, ["projects"]), { session, allowDiskUse: true })
    .toArray();
  return found.map((document) => difference("projects", document));
}

const byTester = {
  $group: {
    _id: { projectId: "$projectId", testerId: "$testerId" },
    ...Object.fromEntries(
      statuses.map((status) => [status, { $sum: { $cond: [{ $eq: ["$status", status] }, 1, 0] } }]),
    ),
  },
};

async function feedbackDifferences(
  { feedback }: Database,
  session: ClientSession,
  live: Document,
): Promise<Difference[]> {
  const past = { $add: ["$submitted", "$approved", "$rejected"] };
  const sums = Object.fromEntries(statuses.map((status) => [status, { $sum: `$${status}` }]));
  const testerRequests = { $sum: { $cond: [{ $gt: [past, 0] }, 1, 0] } };
  const approvedTesters = { $sum: { $cond: [{ $gt: ["$approved", 0] }, 1, 0] } };
  const counted = [live, byTester, { $group: { _id: "$_id.projectId", ...sums, testerRequests, approvedTesters } }];
  const kept = [{ $project: negated(projectCounts, "counts.") }];
  const found = await feedback
    .aggregate(compare(counted, "projects", kept, projectCounts), { session, allowDiskUse: true })
    .toArray();
  return found.map((document) => difference("project feedback", document));
}

async function testerDifferences(
  { feedback }: Database,
  session: ClientSession,
  live: Document,
): Promise<Difference[]> {
  const _id = { $concat: ["$_id.projectId", "/", "$_id.testerId"] };
  const counted = [live, byTester, { $project: { _id, ...Object.fromEntries(statuses.map((status) => [status, 1])) } }];
  const kept = [live, { $project: negated(statuses, "") }];
  const found = await feedback
    .aggregate(compare(counted, "testerTallies", kept, statuses), { session, allowDiskUse: true })
    .toArray();
  return found.map((document) => difference("tester feedback", document));
}

async function markDifferences({ marks }: Database, session: ClientSession, live: Document): Promise<Difference[]> {
  const counted = [live, { $group: { _id: "$feedbackId", helpfulCount: { $sum: 1 } } }];
  const kept = [live, { $project: negated(["helpfulCount"], "") }];
  const found = await marks
    .aggregate(compare(counted, "feedback", kept, ["helpfulCount"]), { session, allowDiskUse: true })
    .toArray();
  return found.map((document) => difference("helpful marks", document));
}

/** Adds the number of records and the negated stored count, and returns the sums that are not zero. */
function compare(counted: Document[], keptIn: string, kept: Document[], names: readonly string[]): Document[] {
  const sums = Object.fromEntries(names.map((name) => [name, { $sum: `$${name}` }]));
  return [
    ...counted,
    { $unionWith: { coll: keptIn, pipeline: kept } },
    { $group: { _id: "$_id", ...sums } },
    { $match: { $or: names.map((name) => ({ [name]: { $ne: 0 } })) } },
    { $sort: { _id: 1 } },
  ];
}

function negated(names: readonly string[], prefix: string): Document {
  return Object.fromEntries(names.map((name) => [name, { $multiply: [-1, { $ifNull: [`$${prefix}${name}`, 0] }] }]));
}

function difference(kind: Difference["kind"], { _id, ...sums }: Document): Difference {
  const off = Object.fromEntries(Object.entries(sums).filter(([, by]) => by !== 0));
  return { kind, of: String(_id), off };
}
