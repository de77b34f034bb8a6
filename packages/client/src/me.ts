import type { Call, ResultPromise } from "./call.ts";
import type { FeedbackItem, Me, MyFeedbackQuery } from "./generated/models.ts";
import { type List, list } from "./list.ts";
import type { CallOptions, ListOptions } from "./options.ts";

/** The account of the key. */
export interface MeResource {
  /** Reads id, role, plan and allowance of the account. */
  get(options?: CallOptions): ResultPromise<Me>;
  /** Lists the account's own feedback on all projects, drafts included. */
  feedback(query?: MyFeedbackQuery, options?: ListOptions): List<FeedbackItem>;
}

export const createMe = (call: Call): MeResource => ({
  get: (options) => call("GET", "/me", {}, options),
  feedback: (query, options) =>
    list((at) => call("GET", "/me/feedback", { query: { ...query, ...at } }, options), query, options),
});
