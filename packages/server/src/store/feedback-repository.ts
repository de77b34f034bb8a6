import type { ClientSession, Document, Filter } from "mongodb";
import { type Feedback, type FeedbackSort, type FeedbackStatus, pastDraft } from "../domain/feedback.ts";
import type { ListOrder, OrderValue, Slice } from "../domain/list-order.ts";
import type { Database, FeedbackDocument } from "./database.ts";
import { find } from "./find.ts";
import { orderKeys, type Reading, readSlice, within } from "./keyset.ts";
import type { Loaders } from "./loaders.ts";
import { isSpeculative, type Page } from "./page.ts";
import { requireTransaction, type Transaction } from "./transaction.ts";

/** Which of a project's feedback a list holds. */
export interface FeedbackFilter {
  readonly projectId: string;
  /** Account that reads; the drafts it sees are its own. */
  readonly viewerId: string;
  readonly statuses: readonly FeedbackStatus[] | undefined;
  readonly testerId: string | undefined;
  readonly updatedAfter?: Date | undefined;
}

/** Which of one account's feedback, on all projects, is in a list. */
export interface TesterFilter {
  readonly testerId: string;
  readonly statuses: readonly FeedbackStatus[] | undefined;
  readonly updatedAfter: Date | undefined;
}

export type FeedbackOrder = ListOrder<"overallRating" | "helpfulCount" | "updatedAt">;

/** Feedback in a list, with its value in the list's order. */
export interface ListedFeedback extends FeedbackItem {
  readonly value: OrderValue | undefined;
}

export type FeedbackItem = Pick<Feedback, "id" | "projectId" | "testerId" | "overallRating" | "status" | "createdAt">;
type ItemDocument = Omit<FeedbackItem, "id"> & { _id: string; helpfulCount?: number; updatedAt?: Date };

const itemFields = { projectId: 1, testerId: 1, overallRating: 1, status: 1, createdAt: 1 } as const;
const newest = { createdAt: -1, _id: -1 } as const;

/** Downward, ties from the newest, then by id (C-LIST-2). */
export const feedbackOrders: Readonly<Record<FeedbackSort, Readonly<Record<string, -1>>>> = {
  date: newest,
  rating: { overallRating: -1, ...newest },
  helpful: { helpfulCount: -1, ...newest },
  updated: { updatedAt: -1, ...newest },
};

const orderFields = {
  date: undefined,
  rating: "overallRating",
  helpful: "helpfulCount",
  updated: "updatedAt",
} as const;

/** The order of a list as the contract names it. */
export function feedbackOrder(sort: FeedbackSort, direction: "asc" | "desc" = "desc"): FeedbackOrder {
  return { field: orderFields[sort], descending: direction === "desc" };
}

function bucketOf(status: FeedbackStatus, testerId: string): string {
  return status === "draft" ? `draft:${testerId}` : status;
}

/** The statuses in a list: those that everybody sees, and the viewer's own drafts (C-FB-4). */
function statusesOf(filter: FeedbackFilter): FeedbackStatus[] {
  const ownDrafts = filter.testerId === undefined || filter.testerId === filter.viewerId;
  const seen: FeedbackStatus[] = ownDrafts ? [...pastDraft, "draft"] : [...pastDraft];
  return filter.statuses ? seen.filter((status) => filter.statuses?.includes(status)) : seen;
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
    ...(filter.updatedAfter && { updatedAt: { $gt: filter.updatedAfter } }),
  };
}

/** The index that serves a list; a hint for the same reason as for project lists. */
export function feedbackIndex({ testerId }: FeedbackFilter, order: FeedbackOrder): Readonly<Record<string, 1 | -1>> {
  return { projectId: 1, ...(testerId !== undefined && { testerId: 1 }), bucket: 1, ...orderKeys(order) };
}

/** The query of the list of an account's feedback, but for projects that are being deleted. */
export function testerQuery(filter: TesterFilter, deleted: readonly string[]): Filter<FeedbackDocument> {
  const { testerId, statuses = [...pastDraft, "draft"], updatedAfter } = filter;
  return {
    testerId,
    bucket: { $in: statuses.map((status) => bucketOf(status, testerId)) },
    ...(updatedAfter && { updatedAt: { $gt: updatedAfter } }),
    ...(deleted.length > 0 && { projectId: { $nin: [...deleted] } }),
  };
}

/** The index that serves the list of an account's feedback. */
export function testerIndex(order: FeedbackOrder): Readonly<Record<string, 1 | -1>> {
  return { testerId: 1, bucket: 1, ...orderKeys(order) };
}

/** Feedback as it is stored. */
export function toDocument(feedback: Feedback): FeedbackDocument {
  const { id, ...fields } = feedback;
  return { _id: id, ...fields, bucket: bucketOf(feedback.status, feedback.testerId) };
}

function toFeedback(document: FeedbackDocument): Feedback {
  const { _id, bucket: _bucket, ...fields } = document;
  // Feedback of version 1.0 has neither field.
  const { updatedAt = fields.createdAt, rejectionReason = null } = fields as Partial<FeedbackDocument>;
  return { id: _id, ...fields, updatedAt, rejectionReason };
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

  /** Deletes a draft, which has no marks. */
  deleteDraft({ id, projectId, testerId }: Feedback): void {
    const { unitOfWork } = requireTransaction(this.#transaction);
    unitOfWork.delete("feedback", id);
    unitOfWork.transition({ projectId, testerId, from: "draft", to: null });
  }

  /** Removes the account's mark, if there is one. Returns the number of marks (C-HELP-2). */
  async unmark(feedback: Feedback, accountId: string): Promise<number> {
    const { unitOfWork } = requireTransaction(this.#transaction);
    const _id = `${feedback.id}/${accountId}`;
    if (!(await this.#loaders.mark(_id))) return feedback.helpfulCount;
    unitOfWork.delete("marks", _id);
    unitOfWork.update("feedback", feedback.id, { $inc: { helpfulCount: -1 } });
    return feedback.helpfulCount - 1;
  }

  /**
   * One slice of a list, and the total of the list, which comes from the counts of the project and of one tester. All is
   * read at the same time: the counts, and the slice of what everybody sees, which is the whole slice for most callers, and
   * shared by them. Only a caller with drafts in the list needs a second read.
   */
  async page(filter: FeedbackFilter, order: FeedbackOrder, slice: Slice): Promise<Page<ListedFeedback>> {
    const hint = feedbackIndex(filter, order);
    const read = (statuses: readonly FeedbackStatus[]) =>
      readSlice(order, slice, (reading) => this.#list(feedbackQuery(filter, [...statuses]), hint, order, reading));
    const statuses = statusesOf(filter);
    const shared = statuses.filter((status) => status !== "draft");
    const [project, tally, page] = await Promise.all([
      this.#loaders.project(filter.projectId),
      this.#loaders.testerTally(`${filter.projectId}/${filter.testerId ?? filter.viewerId}`),
      shared.length > 0 && isSpeculative(slice) ? read(shared) : undefined,
    ]);
    const totalOf = (status: FeedbackStatus) =>
      (filter.testerId === undefined && status !== "draft" ? project?.counts : tally)?.[status] ?? 0;
    const tallied = statuses.reduce((sum, status) => sum + totalOf(status), 0);
    const total = tallied > 0 && filter.updatedAfter ? await this.#count(feedbackQuery(filter), hint) : tallied;
    if (total === 0 || ("skip" in slice && slice.skip >= total)) return { total, items: [] };
    const hasDrafts = statuses.includes("draft") && totalOf("draft") > 0;
    const items = page && !hasDrafts ? page : await read(statuses.filter((status) => totalOf(status) > 0));
    return { total, items };
  }

  /** One slice of an account's feedback on all projects, and the total of the list (C-ME-1). */
  async pageOfTester(filter: TesterFilter, order: FeedbackOrder, slice: Slice): Promise<Page<ListedFeedback>> {
    // The feedback of a deleted project is removed a little later (C-PROJ-5).
    const deleted = await this.#database.deletions.find({}, { projection: { _id: 1 } }).toArray();
    const hint = testerIndex(order);
    const query = testerQuery(
      filter,
      deleted.map(({ _id }) => _id),
    );
    const [total, items] = await Promise.all([
      this.#count(query, hint),
      readSlice(order, slice, (reading) => this.#list(query, hint, order, reading)),
    ]);
    return { total, items };
  }

  #list(filter: Document, hint: Document, order: FeedbackOrder, reading: Reading): Promise<ListedFeedback[]> {
    const projection = { ...itemFields, ...(order.field && { [order.field]: 1 }) };
    const query = { ...reading, filter: within(filter, reading), projection, hint };
    return this.#loaders.share([query], async () => {
      const documents = await find<ItemDocument>(this.#database, "feedback", query, this.#options.session);
      return documents.map((document) => {
        const { _id, helpfulCount, updatedAt, ...fields } = document;
        return { id: _id, ...fields, value: order.field && document[order.field] };
      });
    });
  }

  /** Counts by the keys of the list's index. */
  #count(filter: Document, hint: Document): Promise<number> {
    const options = { ...this.#options, hint };
    return this.#loaders.share([filter], () => this.#database.feedback.countDocuments(filter, options));
  }
}
