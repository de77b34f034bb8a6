import type { ClientSession, Filter } from "mongodb";
import { type Feedback, type FeedbackSort, type FeedbackStatus, pastDraft } from "../domain/feedback.ts";
import type { Database, FeedbackDocument } from "./database.ts";
import { find } from "./find.ts";
import type { Loaders } from "./loaders.ts";
import { maxSpeculativeSkip, type Page } from "./page.ts";
import { requireTransaction, type Transaction } from "./transaction.ts";

/** Which of a project's feedback a list holds. */
export interface FeedbackFilter {
  readonly projectId: string;
  /** Account that reads; the drafts it sees are its own. */
  readonly viewerId: string;
  readonly status: FeedbackStatus | undefined;
  readonly testerId: string | undefined;
}

export type FeedbackItem = Pick<Feedback, "id" | "projectId" | "testerId" | "overallRating" | "status" | "createdAt">;
type ItemDocument = Omit<FeedbackItem, "id"> & { _id: string };

const itemFields = { projectId: 1, testerId: 1, overallRating: 1, status: 1, createdAt: 1 } as const;
const newest = { createdAt: -1, _id: -1 } as const;

/** Downward, ties from the newest, then by id (C-LIST-2). */
export const feedbackOrders: Readonly<Record<FeedbackSort, Readonly<Record<string, -1>>>> = {
  date: newest,
  rating: { overallRating: -1, ...newest },
  helpful: { helpfulCount: -1, ...newest },
};

function bucketOf(status: FeedbackStatus, testerId: string): string {
  return status === "draft" ? `draft:${testerId}` : status;
}

/** The statuses in a list: those that everybody sees, and the viewer's own drafts (C-FB-4). */
function statusesOf(filter: FeedbackFilter): FeedbackStatus[] {
  const ownDrafts = filter.testerId === undefined || filter.testerId === filter.viewerId;
  const seen: FeedbackStatus[] = ownDrafts ? [...pastDraft, "draft"] : [...pastDraft];
  return filter.status ? seen.filter((status) => status === filter.status) : seen;
}

/** The query of a list, or of those of its statuses that have records. Every value is a string. */
export function feedbackQuery(
  filter: FeedbackFilter,
  statuses: readonly FeedbackStatus[] = statusesOf(filter),
): Filter<FeedbackDocument> {
  return {
    projectId: filter.projectId,
    bucket: { $in: statuses.map((status) => bucketOf(status, filter.viewerId)) },
    ...(filter.testerId !== undefined && { testerId: filter.testerId }),
  };
}

/** The index that serves a list; a hint for the same reason as for project lists. */
export function feedbackIndex({ testerId }: FeedbackFilter, sort: FeedbackSort): Readonly<Record<string, 1 | -1>> {
  return { projectId: 1, ...(testerId !== undefined && { testerId: 1 }), bucket: 1, ...feedbackOrders[sort] };
}

/** Feedback as it is stored. */
export function toDocument(feedback: Feedback): FeedbackDocument {
  const { id, ...fields } = feedback;
  return { _id: id, ...fields, bucket: bucketOf(feedback.status, feedback.testerId) };
}

function toFeedback(document: FeedbackDocument): Feedback {
  const { _id, bucket: _bucket, ...fields } = document;
  return { id: _id, ...fields };
}

/** Feedback in the database, with its counts. */
export class FeedbackRepository {
  readonly #database: Database;
  readonly #loaders: Loaders;
  readonly #transaction: Transaction | undefined;
  readonly #options: { session?: ClientSession };

  constructor(database: Database, loaders: Loaders, transaction: Transaction | undefined) {
    this.#database = database;
    this.#loaders = loaders;
    this.#transaction = transaction;
    this.#options = transaction ? { session: transaction.session } : {};
  }

  async find(id: string): Promise<Feedback | null> {
    const document = await this.#loaders.feedback(id);
    return document ? toFeedback(document) : null;
  }

  insert(feedback: Feedback): void {
    const { unitOfWork } = requireTransaction(this.#transaction);
    unitOfWork.insert("feedback", toDocument(feedback));
    unitOfWork.transition({
      projectId: feedback.projectId,
      testerId: feedback.testerId,
      from: null,
      to: feedback.status,
    });
  }

  replace(before: Feedback, after: Feedback): void {
    const { unitOfWork } = requireTransaction(this.#transaction);
    const { _id, helpfulCount: _helpfulCount, projectId, testerId, ...fields } = toDocument(after);
    unitOfWork.update("feedback", _id, { $set: fields });
    if (before.status !== after.status)
      unitOfWork.transition({ projectId, testerId, from: before.status, to: after.status });
  }

  /** Adds the account's mark, once. Returns the number of marks (C-HELP-1). */
  async mark(feedback: Feedback, accountId: string): Promise<number> {
    const { unitOfWork } = requireTransaction(this.#transaction);
    const _id = `${feedback.id}/${accountId}`;
    if (await this.#loaders.mark(_id)) return feedback.helpfulCount;
    unitOfWork.insert("marks", { _id, feedbackId: feedback.id, projectId: feedback.projectId });
    unitOfWork.update("feedback", feedback.id, { $inc: { helpfulCount: 1 } });
    return feedback.helpfulCount + 1;
  }

  /**
   * One page, and the total of all pages, which comes from the counts of the project and of one tester. `skip` and `limit`
   * are numbers of records. All is read at the same time: the counts, and the page of what everybody sees, which is the
   * whole page for most callers, and shared by them. Only a caller with drafts in the list needs a second read.
   */
  async page(
    filter: FeedbackFilter,
    { sort, skip, limit }: { sort: FeedbackSort; skip: number; limit: number },
  ): Promise<Page<FeedbackItem>> {
    const read = (statuses: readonly FeedbackStatus[]) => this.#read(filter, statuses, { sort, skip, limit });
    const statuses = statusesOf(filter);
    const shared = statuses.filter((status) => status !== "draft");
    const reading = shared.length > 0 && skip <= maxSpeculativeSkip ? read(shared) : undefined;
    const [project, tally, page] = await Promise.all([
      this.#loaders.project(filter.projectId),
      this.#loaders.testerTally(`${filter.projectId}/${filter.testerId ?? filter.viewerId}`),
      reading,
    ]);
    const totalOf = (status: FeedbackStatus) =>
      (filter.testerId === undefined && status !== "draft" ? project?.counts : tally)?.[status] ?? 0;
    const total = statuses.reduce((sum, status) => sum + totalOf(status), 0);
    if (skip >= total) return { total, items: [] };
    const hasDrafts = statuses.includes("draft") && totalOf("draft") > 0;
    const items = page && !hasDrafts ? page : await read(statuses.filter((status) => totalOf(status) > 0));
    return { total, items };
  }

  async #read(
    filter: FeedbackFilter,
    statuses: readonly FeedbackStatus[],
    { sort, skip, limit }: { sort: FeedbackSort; skip: number; limit: number },
  ): Promise<FeedbackItem[]> {
    const query = {
      ...{ filter: feedbackQuery(filter, statuses), projection: itemFields, sort: feedbackOrders[sort] },
      ...{ hint: feedbackIndex(filter, sort), skip, limit },
    };
    return this.#loaders.share([query], async () => {
      const documents = await find<ItemDocument>(this.#database, "feedback", query, this.#options.session);
      return documents.map(({ _id, ...fields }) => ({ id: _id, ...fields }));
    });
  }
}
