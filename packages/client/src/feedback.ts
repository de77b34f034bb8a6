import type { Call, ResultPromise } from "./call.ts";
import type {
  Deletion,
  Feedback,
  FeedbackCreate,
  FeedbackItem,
  FeedbackPatch,
  FeedbackQuery,
  HelpfulMark,
  Reply,
  ReplyReceipt,
} from "./generated/models.ts";
import { type List, list } from "./list.ts";
import type { CallOptions, ChangeOptions, ListOptions, WriteOptions } from "./options.ts";

/** Options of a rejection. */
export interface RejectOptions extends WriteOptions {
  /** Why the feedback is rejected, 1 to 5,000 characters. Only its author and the project's owner see it. */
  readonly reason?: string | null | undefined;
}

/** Feedback: testers submit it, developers reply to it. */
export interface FeedbackResource {
  /** Lists a project's feedback, newest first: everything but the drafts of others. */
  list(projectId: string, query?: FeedbackQuery, options?: ListOptions): List<FeedbackItem>;
  /** Reads feedback with all its fields. */
  get(id: string, options?: CallOptions): ResultPromise<Feedback>;
  /** Submits feedback on an active project, or saves it as a draft. */
  create(projectId: string, feedback: FeedbackCreate, options?: WriteOptions): ResultPromise<Feedback>;
  /** Changes the given fields of a draft. For its author only. */
  update(id: string, changes: FeedbackPatch, options?: ChangeOptions): ResultPromise<Feedback>;
  /** Deletes a draft. For its author only. */
  delete(id: string, options?: ChangeOptions): ResultPromise<Deletion>;
  /** Marks feedback as helpful, once per developer account. Needs a developer's key. */
  markHelpful(id: string, options?: WriteOptions): ResultPromise<HelpfulMark>;
  /** Removes the account's helpful mark. Needs a developer's key. */
  unmarkHelpful(id: string, options?: CallOptions): ResultPromise<HelpfulMark>;
  /** Replies to feedback and lists the bugs that are resolved. For the project's owner only. */
  reply(id: string, reply: Reply, options?: WriteOptions): ResultPromise<ReplyReceipt>;
  /** Approves submitted feedback. For the project's owner only. */
  approve(id: string, options?: WriteOptions): ResultPromise<Feedback>;
  /** Rejects submitted feedback, with a reason or without one. For the project's owner only. */
  reject(id: string, options?: RejectOptions): ResultPromise<Feedback>;
}

export const createFeedback = (call: Call): FeedbackResource => ({
  list: (projectId, query, options) =>
    list(
      (at) =>
        call("GET", "/projects/{projectId}/feedback", { path: { projectId }, query: { ...query, ...at } }, options),
      query,
      options,
    ),
  get: (id, options) => call("GET", "/feedback/{id}", { path: { id } }, options),
  create: (projectId, body, options) =>
    call("POST", "/projects/{projectId}/feedback", { path: { projectId }, body }, options),
  update: (id, body, options) => call("PATCH", "/feedback/{id}", { path: { id }, body }, options),
  delete: (id, options) => call("DELETE", "/feedback/{id}", { path: { id } }, options),
  markHelpful: (id, options) => call("POST", "/feedback/{id}/helpful", { path: { id } }, options),
  unmarkHelpful: (id, options) => call("DELETE", "/feedback/{id}/helpful", { path: { id } }, options),
  reply: (id, body, options) => call("POST", "/feedback/{id}/reply", { path: { id }, body }, options),
  approve: (id, options) => call("POST", "/feedback/{id}/approve", { path: { id } }, options),
  reject: (id, { reason, ...options } = {}) =>
    call("POST", "/feedback/{id}/reject", { path: { id }, ...(reason !== undefined && { body: { reason } }) }, options),
});
