import type { components, operations } from "@project-feedback/spec/types";

export type { components, operations, paths } from "@project-feedback/spec/types";

type Schemas = components["schemas"];

/** A project with all its fields. */
export type Project = Schemas["Project"];
/** A project as an item of a list. */
export type ProjectItem = Schemas["ProjectItem"];
/** A page of projects. */
export type ProjectPage = Schemas["ProjectPage"];
/** The fields of a new project. */
export type ProjectCreate = Schemas["ProjectCreate"];
/** Changes to a project. */
export type ProjectPatch = Schemas["ProjectPatch"];
/** Status of a project. */
export type ProjectStatus = Schemas["ProjectStatus"];
/** Kind of product that a project is. */
export type Category = Schemas["Category"];
/** Feedback with all its fields. */
export type Feedback = Schemas["Feedback"];
/** Feedback as an item of a list. */
export type FeedbackItem = Schemas["FeedbackItem"];
/** A page of feedback. */
export type FeedbackPage = Schemas["FeedbackPage"];
/** The fields of new feedback. */
export type FeedbackCreate = Schemas["FeedbackCreate"];
/** Changes to a draft of feedback. */
export type FeedbackPatch = Schemas["FeedbackPatch"];
/** Status of feedback. */
export type FeedbackStatus = Schemas["FeedbackStatus"];
/** A bug, with the id that the service assigned. */
export type Bug = Schemas["Bug"];
/** The fields of a reply to feedback. */
export type Reply = Schemas["Reply"];
/** Confirms a reply. */
export type ReplyReceipt = Schemas["ReplyReceipt"];
/** Confirms a helpful mark. */
export type HelpfulMark = Schemas["HelpfulMark"];
/** Confirms a deletion. */
export type Deletion = Schemas["Deletion"];
/** One thing that is wrong with a request. */
export type Fault = Schemas["Fault"];

/** Filters and paging of a project list. */
export type ProjectQuery = NonNullable<operations["listProjects"]["parameters"]["query"]>;
/** Filters, order and paging of a feedback list. */
export type FeedbackQuery = NonNullable<operations["listFeedback"]["parameters"]["query"]>;
