import type { operations } from "@project-feedback/spec/types";
import type { FeedbackResource } from "./feedback.ts";
import type { MeResource } from "./me.ts";
import type { Output } from "./output.ts";
import type { Projects } from "./projects.ts";

/** Does not compile if an operation of the contract has no method here, or one that returns something else. */
type Complete<All extends { [Id in keyof operations]: (...input: never[]) => Promise<Output<operations[Id]>> }> = All;

/** The client's method for each operation of the contract. */
export type OperationMethods = Complete<{
  listProjects: Projects["list"];
  getProject: Projects["get"];
  createProject: Projects["create"];
  updateProject: Projects["update"];
  deleteProject: Projects["delete"];
  listFeedback: FeedbackResource["list"];
  getFeedback: FeedbackResource["get"];
  createFeedback: FeedbackResource["create"];
  updateFeedback: FeedbackResource["update"];
  deleteFeedback: FeedbackResource["delete"];
  unmarkFeedbackHelpful: FeedbackResource["unmarkHelpful"];
  getMe: MeResource["get"];
  listMyFeedback: MeResource["feedback"];
  markFeedbackHelpful: FeedbackResource["markHelpful"];
  replyToFeedback: FeedbackResource["reply"];
  approveFeedback: FeedbackResource["approve"];
  rejectFeedback: FeedbackResource["reject"];
}>;
