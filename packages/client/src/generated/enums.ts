// Generated from the contract by `pnpm generate`. Do not edit.
import type { Category, FeedbackSort, FeedbackStatus, FeedbackType, ProjectStatus, Severity } from "./models.ts";

/** The values of Category. */
export const categories = ["web","mobile","desktop","other"] as const satisfies readonly Category[];

/** The values of FeedbackSort. */
export const feedbackSorts = ["date","rating","helpful"] as const satisfies readonly FeedbackSort[];

/** The values of FeedbackStatus. */
export const feedbackStatuses = ["draft","submitted","approved","rejected"] as const satisfies readonly FeedbackStatus[];

/** The values of FeedbackType. */
export const feedbackTypes = ["ui","ux","bugs","general"] as const satisfies readonly FeedbackType[];

/** The values of ProjectStatus. */
export const projectStatuses = ["draft","active","completed","archived"] as const satisfies readonly ProjectStatus[];

/** The values of Severity. */
export const severities = ["low","medium","high","critical"] as const satisfies readonly Severity[];
