import type { Call } from "./call.ts";
import type {
  Feedback,
  FeedbackCreate,
  FeedbackItem,
  FeedbackPatch,
  FeedbackQuery,
  HelpfulMark,
  Reply,
  ReplyReceipt,
} from "./contract.ts";
import { type List, list } from "./list.ts";
import type { CallOptions, ListOptions, WriteOptions } from "./options.ts";
import type { Result } from "./result.ts";

/** What testers submit, and what developers answer. */
export interface FeedbackResource {
  /** Lists a project's feedback: what is past draft, and the caller's own drafts; newest first. */
  list(projectId: string, query?: FeedbackQuery, options?: ListOptions): List<FeedbackItem>;
  /** Reads feedback in full. */
  get(id: string, options?: CallOptions): Promise<Result<Feedback>>;
  /** Submits feedback on an active project, or keeps it as a draft. */
  create(projectId: string, feedback: FeedbackCreate, options?: WriteOptions): Promise<Result<Feedback>>;
  /** Changes the fields that are sent, while it is a draft. Only for its author. */
  update(id: string, changes: FeedbackPatch, options?: WriteOptions): Promise<Result<Feedback>>;
  /** Marks feedback as helpful, once for each developer account. Needs a developer's key. */
  markHelpful(id: string, options?: WriteOptions): Promise<Result<HelpfulMark>>;
  /** Answers feedback, and names the bugs that are resolved. Needs the key of the project's owner. */
  reply(id: string, reply: Reply, options?: WriteOptions): Promise<Result<ReplyReceipt>>;
  /** Accepts submitted feedback. Only for the project's owner. */
  approve(id: string, options?: WriteOptions): Promise<Result<Feedback>>;
  /** Turns submitted feedback down. Only for the project's owner. */
  reject(id: string, options?: WriteOptions): Promise<Result<Feedback>>;
}

export const createFeedback = (call: Call): FeedbackResource => ({
  list: (projectId, query, options) =>
    list(
      (page) =>
        call("GET", "/projects/{projectId}/feedback", { path: { projectId }, query: { ...query, page } }, options),
      query?.page,
      options?.maxPages,
    ),
  get: (id, options) => call("GET", "/feedback/{id}", { path: { id } }, options),
  create: (projectId, body, options) =>
    call("POST", "/projects/{projectId}/feedback", { path: { projectId }, body }, options),
  update: (id, body, options) => call("PATCH", "/feedback/{id}", { path: { id }, body }, options),
  markHelpful: (id, options) => call("POST", "/feedback/{id}/helpful", { path: { id } }, options),
  reply: (id, body, options) => call("POST", "/feedback/{id}/reply", { path: { id }, body }, options),
  approve: (id, options) => call("POST", "/feedback/{id}/approve", { path: { id } }, options),
  reject: (id, options) => call("POST", "/feedback/{id}/reject", { path: { id } }, options),
});
