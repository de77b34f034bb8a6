// This file is not run. The test is that it compiles: a program that was written for version 1.0 still does (C-VER-1).

import type * as current from "../../src/index.ts";
import type * as released from "./1.0/index.js";

/** The methods of a resource as functions: TypeScript compares the parameters of methods less strictly. */
type Functions<Resource> = {
  [Name in keyof Resource]: Resource[Name] extends (...input: infer Input) => infer Output
    ? (...input: Input) => Output
    : Resource[Name];
};

/** What a module exports. Its classes have no static members of their own. */
type Exports<Module> = {
  [Name in keyof Module]: Module[Name] extends new (
    ...input: infer Input
  ) => infer Instance
    ? new (
        ...input: Input
      ) => Instance
    : Module[Name];
};

/** Does not compile if a value of the first type is none of the second. */
const accepts = <_Given extends Wanted, Wanted>() => {};

// What a program imports.
type Everything = Omit<Exports<typeof released>, "createPathClient" | "isStatusError">;
export const everything = (entry: typeof current): Everything => entry;

// What it calls, and what it gets.
export const projects = (projects: current.Projects): Functions<released.Projects> => projects;
export const feedback = (feedback: current.FeedbackResource): Functions<released.FeedbackResource> => feedback;

// What it passes.
accepts<released.ClientOptions, current.ClientOptions>();
accepts<released.RetryOptions, current.RetryOptions>();
accepts<released.CallOptions, current.CallOptions>();
accepts<released.WriteOptions, current.WriteOptions>();
accepts<released.ListOptions, current.ListOptions>();
accepts<released.ProjectQuery, current.ProjectQuery>();
accepts<released.FeedbackQuery, current.FeedbackQuery>();
accepts<released.ProjectCreate, current.ProjectCreate>();
accepts<released.ProjectPatch, current.ProjectPatch>();
accepts<released.FeedbackCreate, current.FeedbackCreate>();
accepts<released.FeedbackPatch, current.FeedbackPatch>();
accepts<released.Reply, current.Reply>();
accepts<released.Facts, current.Facts>();

// What it reads.
accepts<current.Client, released.Client>();
accepts<current.Project, released.Project>();
accepts<current.ProjectItem, released.ProjectItem>();
accepts<current.ProjectPage, released.ProjectPage>();
accepts<current.ProjectStatus, released.ProjectStatus>();
accepts<current.Category, released.Category>();
accepts<current.Feedback, released.Feedback>();
accepts<current.FeedbackItem, released.FeedbackItem>();
accepts<current.FeedbackPage, released.FeedbackPage>();
accepts<current.FeedbackStatus, released.FeedbackStatus>();
accepts<current.Bug, released.Bug>();
accepts<current.ReplyReceipt, released.ReplyReceipt>();
accepts<current.HelpfulMark, released.HelpfulMark>();
accepts<current.Deletion, released.Deletion>();
accepts<current.Fault, released.Fault>();
accepts<current.Page<current.ProjectItem>, released.Page<released.ProjectItem>>();
accepts<current.List<current.ProjectItem>, released.List<released.ProjectItem>>();
accepts<current.RateLimit, released.RateLimit>();
accepts<current.AnswerFacts, released.AnswerFacts>();
accepts<current.Result<current.Project>, released.Result<released.Project>>();
accepts<current.RequestEvent, released.RequestEvent>();
accepts<current.ResponseEvent, released.ResponseEvent>();
accepts<current.RetryEvent, released.RetryEvent>();
// Errors with more statuses are growth, as in the contract.
accepts<Extract<current.StatusError, { status: released.StatusError["status"] }>, released.StatusError>();
accepts<released.ErrorOf<"getProject">["status"], current.ErrorOf<"getProject">["status"]>();
accepts<current.components["schemas"]["Project"], released.components["schemas"]["Project"]>();
