import type { operations } from "./contract.ts";
import type { FeedbackResource } from "./feedback.ts";
import type { Projects } from "./projects.ts";

type Responses<Id extends keyof operations> = operations[Id]["responses"];
type Success<Id extends keyof operations> = Responses<Id>[keyof Responses<Id> & (200 | 201)];
type Output<Id extends keyof operations> =
  Success<Id> extends { content: { "application/json": infer Body } } ? Body : never;

/** An operation that the contract has and `Surface` lacks does not compile, nor one whose method answers otherwise. */
type Complete<All extends { [Id in keyof operations]: (...input: never[]) => Promise<Output<Id>> }> = All;

/** The client's method for each operation of the contract. */
export type Surface = Complete<{
  listProjects: Projects["list"];
  getProject: Projects["get"];
  createProject: Projects["create"];
  updateProject: Projects["update"];
  deleteProject: Projects["delete"];
  listFeedback: FeedbackResource["list"];
  getFeedback: FeedbackResource["get"];
  createFeedback: FeedbackResource["create"];
  updateFeedback: FeedbackResource["update"];
  markFeedbackHelpful: FeedbackResource["markHelpful"];
  replyToFeedback: FeedbackResource["reply"];
  approveFeedback: FeedbackResource["approve"];
  rejectFeedback: FeedbackResource["reject"];
}>;
