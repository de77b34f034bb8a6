import type { ClientSession, Document } from "mongodb";
import type {
  Database,
  FeedbackDocument,
  MarkDocument,
  ProjectDocument,
  ProjectTallyDocument,
  TesterTallyDocument,
} from "./database.ts";
import { find } from "./find.ts";
import { gather, Sharing } from "./gather.ts";

/** A project without what only its indexes need. */
export type ReadProject = Omit<ProjectDocument, "words" | "audience">;

/** The part of a project that decides who sees it, and what may be done with its feedback. */
export type ReadStanding = Pick<ProjectDocument, "_id" | "ownerId" | "status" | "isPublic">;

/** How single records and pages are read: outside a transaction together with what others ask for at the same time. */
export interface Reads {
  project(id: string): Promise<ReadProject | undefined>;
  /** Less to read than all of the project, where nothing else is asked for. */
  standing(id: string): Promise<ReadStanding | undefined>;
  feedback(id: string): Promise<FeedbackDocument | undefined>;
  testerTally(id: string): Promise<TesterTallyDocument | undefined>;
  mark(id: string): Promise<MarkDocument | undefined>;
  /** All tallies of an audience; undefined where it has none. */
  tallies(audience: string): Promise<readonly ProjectTallyDocument[] | undefined>;
  /** Does a read whose answer those may share who ask for it at the same time; `key` says what is asked for. */
  shared<Value>(key: readonly unknown[], read: () => Promise<Value>): Promise<Value>;
}

/** Reads of a process, outside transactions. */
export function readsTogether(database: Database): Reads {
  const from = readersOf(database);
  const sharing = new Sharing();
  const reads = gathered(from);
  return {
    ...reads,
    // Shared with those who ask for whole projects: a command of its own would cost more than the rest of a project.
    standing: reads.project,
    shared: (key, read) => sharing.read(JSON.stringify(key), read),
  };
}

/** Reads inside a transaction, one after the other, for a session does one thing at a time. */
export function readsInside(database: Database, session: ClientSession): Reads {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(read: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(read, read);
    last = turn;
    return turn;
  };
  const from = readersOf(database, session);
  return {
    ...gathered({
      projects: (ids) => inTurn(() => from.projects(ids)),
      standings: (ids) => inTurn(() => from.standings(ids)),
      feedback: (ids) => inTurn(() => from.feedback(ids)),
      testerTallies: (ids) => inTurn(() => from.testerTallies(ids)),
      marks: (ids) => inTurn(() => from.marks(ids)),
      tallies: (audiences) => inTurn(() => from.tallies(audiences)),
    }),
    shared: (_key, read) => inTurn(read),
  };
}

/** Most records in one batch of 16 MiB: feedback is up to a body of 1 MiB, a project 120 KiB, the others are small. */
const most = { feedback: 12, projects: 120, small: 1_000 };

function gathered(from: ReturnType<typeof readersOf>): Omit<Reads, "shared"> {
  return {
    project: gather(from.projects, most.projects),
    standing: gather(from.standings, most.small),
    feedback: gather(from.feedback, most.feedback),
    testerTally: gather(from.testerTallies, most.small),
    mark: gather(from.marks, most.small),
    tallies: gather(from.tallies, most.small),
  };
}

function readersOf(database: Database, session?: ClientSession) {
  const byId =
    <Stored extends { readonly _id: string }>(collection: keyof Database, projection: Document = {}) =>
    async (ids: readonly string[]) => {
      const filter = { _id: ids.length === 1 ? ids[0] : { $in: ids } };
      const found = await find<Stored>(database, collection, { filter, projection }, session);
      return new Map(found.map((document) => [document._id, document]));
    };
  return {
    projects: byId<ReadProject>("projects", { words: 0, audience: 0 }),
    standings: byId<ReadStanding>("projects", { ownerId: 1, status: 1, isPublic: 1 }),
    feedback: byId<FeedbackDocument>("feedback"),
    testerTallies: byId<TesterTallyDocument>("testerTallies"),
    marks: byId<MarkDocument>("marks"),
    async tallies(audiences: readonly string[]) {
      const filter = { audience: { $in: audiences } };
      const found = await find<ProjectTallyDocument>(database, "projectTallies", { filter }, session);
      return Map.groupBy(found, ({ audience }) => audience) as ReadonlyMap<string, readonly ProjectTallyDocument[]>;
    },
  };
}
