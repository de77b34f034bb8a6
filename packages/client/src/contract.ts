import type { components, operations } from "@project-feedback/spec";

export type { components, operations, paths } from "@project-feedback/spec";

type Schemas = components["schemas"];

/** A project in full. */
export type Project = Schemas["Project"];
/** A project in a list. */
export type ProjectItem = Schemas["ProjectItem"];
/** A page of projects, with its envelope. */
export type ProjectPage = Schemas["ProjectPage"];
/** A new project. */
export type ProjectCreate = Schemas["ProjectCreate"];
/** Changes to a project. */
export type ProjectPatch = Schemas["ProjectPatch"];
/** Where a project stands. */
export type ProjectStatus = Schemas["ProjectStatus"];
/** What a project is for. */
export type Category = Schemas["Category"];
/** Feedback in full. */
export type Feedback = Schemas["Feedback"];
/** Feedback in a list. */
export type FeedbackItem = Schemas["FeedbackItem"];
/** A page of feedback, with its envelope. */
export type FeedbackPage = Schemas["FeedbackPage"];
/** New feedback. */
export type FeedbackCreate = Schemas["FeedbackCreate"];
/** Changes to a draft of feedback. */
export type FeedbackPatch = Schemas["FeedbackPatch"];
/** Where feedback stands. */
export type FeedbackStatus = Schemas["FeedbackStatus"];
/** A bug, with the id that the service gave it. */
export type Bug = Schemas["Bug"];
/** An answer to feedback, as it is sent. */
export type Reply = Schemas["Reply"];
/** That an answer was kept. */
export type ReplyReceipt = Schemas["ReplyReceipt"];
/** That a mark counts. */
export type HelpfulMark = Schemas["HelpfulMark"];
/** That something was deleted. */
export type Deletion = Schemas["Deletion"];
/** One thing that is wrong with a request. */
export type Fault = Schemas["Fault"];

/** What projects to list. */
export type ProjectQuery = NonNullable<operations["listProjects"]["parameters"]["query"]>;
/** What feedback to list. */
export type FeedbackQuery = NonNullable<operations["listFeedback"]["parameters"]["query"]>;
