import type { ClientSession, Document } from "mongodb";
import { batchLoader } from "./batch-loader.ts";
import type {
  Database,
  FeedbackDocument,
  MarkDocument,
  ProjectDocument,
  ProjectTallyDocument,
  TesterTallyDocument,
} from "./database.ts";
import { find } from "./find.ts";
import { Singleflight } from "./singleflight.ts";

/** A project without what only its indexes need. */
export type ReadProject = Omit<ProjectDocument, "words" | "audience" | "viewBatches" | "titleKey">;

/** The part of a project that decides who sees it, and what may be done with its feedback. */
export type ReadAccess = Pick<ProjectDocument, "_id" | "ownerId" | "status" | "wasActive" | "isPublic">;

/** Reads of single records and of pages. */
export interface Loaders {
  project(id: string): Promise<ReadProject | undefined>;
  /** The few fields of a project that decide on access. */
  access(id: string): Promise<ReadAccess | undefined>;
  feedback(id: string): Promise<FeedbackDocument | undefined>;
  testerTally(id: string): Promise<TesterTallyDocument | undefined>;
  mark(id: string): Promise<MarkDocument | undefined>;
  /** All tallies of an audience; undefined where it has none. */
  tallies(audience: string): Promise<readonly ProjectTallyDocument[] | undefined>;
  /** A read whose result is shared by all who ask for the same at the same time; `key` names what is read. */
  share<Value>(key: readonly unknown[], read: () => Promise<Value>): Promise<Value>;
}

/** Pages that a process reads at a time. More callers than that share what they ask for. */
const maxSharedReads = 8;

/** The loaders of a process, outside transactions: requests share reads that they ask for at the same time. */
export function sharedLoaders(database: Database): Loaders {
  const from = readersOf(database);
  const singleflight = new Singleflight(maxSharedReads);
  const loaders = batched(from);
  return {
    ...loaders,
    // In one batch with whole projects: another command would cost more than the fields that are not needed.
    access: loaders.project,
    share: (key, read) => singleflight.read(JSON.stringify(key), read),
  };
}

/** The loaders of one transaction: a session runs one command at a time. */
export function transactionLoaders(database: Database, session: ClientSession): Loaders {
  let last: Promise<unknown> = Promise.resolve();
  const sequentially = <Value>(read: () => Promise<Value>): Promise<Value> => {
    const next = last.then(read, read);
    last = next;
    return next;
  };
  const from = readersOf(database, session);
  return {
    ...batched({
      projects: (ids) => sequentially(() => from.projects(ids)),
      access: (ids) => sequentially(() => from.access(ids)),
      feedback: (ids) => sequentially(() => from.feedback(ids)),
      testerTallies: (ids) => sequentially(() => from.testerTallies(ids)),
      marks: (ids) => sequentially(() => from.marks(ids)),
      tallies: (audiences) => sequentially(() => from.tallies(audiences)),
    }),
    share: (_key, read) => sequentially(read),
  };
}

/** Most records in one batch of 16 MiB: feedback takes up to 1 MiB, a project 120 KiB, the others are small. */
const maxKeys = { feedback: 12, projects: 120, small: 1_000 };

function batched(from: ReturnType<typeof readersOf>): Omit<Loaders, "share"> {
  return {
    project: batchLoader(from.projects, maxKeys.projects),
    access: batchLoader(from.access, maxKeys.small),
    feedback: batchLoader(from.feedback, maxKeys.feedback),
    testerTally: batchLoader(from.testerTallies, maxKeys.small),
    mark: batchLoader(from.marks, maxKeys.small),
    tallies: batchLoader(from.tallies, maxKeys.small),
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
    projects: byId<ReadProject>("projects", { words: 0, audience: 0, viewBatches: 0, titleKey: 0 }),
    access: byId<ReadAccess>("projects", { ownerId: 1, status: 1, wasActive: 1, isPublic: 1 }),
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
