// Generated from the contract by `pnpm generate`. Do not edit.
import type { Category, ErrorCode, FeedbackSort, FeedbackStatus, FeedbackType, MyFeedbackSort, Plan, ProjectSort, ProjectStatus, Role, Severity, SortOrder } from "./models.ts";

/** The values of Category. */
export const categories = ["web","mobile","desktop","other"] as const satisfies readonly Category[];

/** The values of ErrorCode. */
export const errorCodes = ["invalid_request","role_required","not_owner","not_author","path_not_found","project_not_found","feedback_not_found","method_not_allowed","not_draft","is_draft","not_submitted","project_not_active","invalid_transition","idempotency_key_in_use","not_current","content_too_large","unsupported_media_type","idempotency_key_reused","rate_limited","internal_error","unavailable"] as const satisfies readonly ErrorCode[];

/** The values of FeedbackSort. */
export const feedbackSorts = ["date","rating","helpful","updated"] as const satisfies readonly FeedbackSort[];

/** The values of FeedbackStatus. */
export const feedbackStatuses = ["draft","submitted","approved","rejected"] as const satisfies readonly FeedbackStatus[];

/** The values of FeedbackType. */
export const feedbackTypes = ["ui","ux","bugs","general"] as const satisfies readonly FeedbackType[];

/** The values of MyFeedbackSort. */
export const myFeedbackSorts = ["date","updated"] as const satisfies readonly MyFeedbackSort[];

/** The values of Plan. */
export const plans = ["free","pro","team"] as const satisfies readonly Plan[];

/** The values of ProjectSort. */
export const projectSorts = ["created","updated","title"] as const satisfies readonly ProjectSort[];

/** The values of ProjectStatus. */
export const projectStatuses = ["draft","active","completed","archived"] as const satisfies readonly ProjectStatus[];

/** The values of Role. */
export const roles = ["developer","tester"] as const satisfies readonly Role[];

/** The values of Severity. */
export const severities = ["low","medium","high","critical"] as const satisfies readonly Severity[];

/** The values of SortOrder. */
export const sortOrders = ["asc","desc"] as const satisfies readonly SortOrder[];
