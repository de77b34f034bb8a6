import type { components } from "@project-feedback/spec";
import type { Principal } from "./account.ts";
import { entityTag } from "./entity-tag.ts";
import { DomainError, invalidInput, notFound } from "./errors.ts";
import {
  audienceOf,
  everybody,
  type ProjectAccess,
  requireDeveloper,
  requireOwner,
  requireVisible,
} from "./project.ts";

type Schemas = components["schemas"];
export type FeedbackStatus = Schemas["FeedbackStatus"];
export type FeedbackSort = Schemas["FeedbackSort"];
export type Bug = Schemas["Bug"];

/** The statuses of feedback after its submission. */
export const pastDraft = ["submitted", "approved", "rejected"] as const satisfies readonly FeedbackStatus[];

/** Feedback of one tester or developer on one project. */
export interface Feedback {
  readonly id: string;
  readonly projectId: string;
  readonly testerId: string;
  readonly overallRating: number;
  readonly uiFeedback: Schemas["UiFeedback"] | null;
  readonly uxFeedback: Schemas["UxFeedback"] | null;
  readonly bugs: readonly Bug[];
  readonly generalComments: string | null;
  readonly status: FeedbackStatus;
  readonly helpfulCount: number;
  readonly developerResponse: DeveloperResponse | null;
  /** Why the project's owner rejected it. */
  readonly rejectionReason: string | null;
  readonly createdAt: Date;
  /** When it was last changed; marks do not count as changes. */
  readonly updatedAt: Date;
}

export interface DeveloperResponse {
  readonly message: string;
  readonly resolvedItems: readonly string[];
  readonly createdAt: Date;
}

/** Generates ids, such as `bug_…`. */
export type NewId = (prefix: "prj" | "fb" | "bug" | "acc" | "key" | "ses" | "psk") => string;

/**
 * Returns feedback and its project if the caller may see the feedback.
 * @throws DomainError `feedback_not_found`, as for an unknown id (C-FB-4)
 */
export function requireVisibleFeedback(
  feedback: Feedback | null,
  project: ProjectAccess | null,
  caller: Principal,
): { feedback: Feedback; project: ProjectAccess } {
  if (!feedback || !project) throw notFound("feedback");
  const seen =
    feedback.status === "draft"
      ? feedback.testerId === caller.accountId
      : audienceOf(project) === everybody || project.ownerId === caller.accountId;
  if (!seen) throw notFound("feedback");
  return { feedback, project };
}

/** @throws DomainError `project_not_active` (C-FB-3) */
function requireActive(project: ProjectAccess): void {
  if (project.status === "active") return;
  throw new DomainError(
    "project_not_active",
    `The project is ${project.status} and takes no feedback. Wait until it is active.`,
  );
}

/** New feedback (C-FB-1, C-FB-3, C-SHOW-1). The contract has filled in the defaults. */
export function createFeedback(
  input: Schemas["FeedbackCreate"],
  project: ProjectAccess,
  caller: Principal,
  newId: NewId,
  now: Date,
): Feedback {
  requireActive(project);
  return {
    id: newId("fb"),
    projectId: project.id,
    testerId: caller.accountId,
    overallRating: input.overallRating,
    uiFeedback: uiOf(input.uiFeedback),
    uxFeedback: uxOf(input.uxFeedback),
    bugs: (input.bugs ?? []).map((bug) => bugOf(bug, newId("bug"))),
    generalComments: input.generalComments ?? null,
    status: input.status ?? "submitted",
    helpfulCount: 0,
    developerResponse: null,
    rejectionReason: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** @throws DomainError `not_author` for anyone but the author of the feedback (C-FB-2) */
export function requireAuthor(feedback: Feedback, caller: Principal): void {
  if (feedback.testerId === caller.accountId) return;
  throw new DomainError("not_author", "Only the author of feedback may change it. Use the author's key.");
}

/** The author's draft with the changes sent, perhaps submitted by them (C-FB-1, C-FB-2, S-FB-PATCH-2). */
export function changeFeedback(
  feedback: Feedback,
  project: ProjectAccess,
  patch: Schemas["FeedbackPatch"],
  caller: Principal,
  newId: NewId,
  now: Date,
): Feedback {
  requireDraft(feedback, "changed", "Submit new feedback instead.");
  if (Object.keys(patch).length === 0) return feedback;
  if (patch.status === "submitted") requireActive(requireVisible(project, caller));
  return {
    ...feedback,
    overallRating: patch.overallRating ?? feedback.overallRating,
    uiFeedback: patch.uiFeedback === undefined ? feedback.uiFeedback : uiOf(patch.uiFeedback),
    uxFeedback: patch.uxFeedback === undefined ? feedback.uxFeedback : uxOf(patch.uxFeedback),
    bugs: patch.bugs === undefined ? feedback.bugs : changeBugs(feedback.bugs, patch.bugs, newId),
    generalComments: patch.generalComments === undefined ? feedback.generalComments : patch.generalComments,
    status: patch.status ?? feedback.status,
    updatedAt: changedAt(feedback, now),
  };
}

/** When feedback that is changed now was changed: never earlier than before, even when the clock was set back. */
export function changedAt({ updatedAt }: Feedback, now: Date): Date {
  return new Date(Math.max(now.getTime(), updatedAt.getTime()));
}

/** @throws DomainError `not_draft` (C-FB-2, C-FB-6) */
export function requireDraft({ status }: Feedback, done: string, advice: string): void {
  if (status === "draft") return;
  throw new DomainError("not_draft", `Only a draft can be ${done}, and this feedback is ${status}. ${advice}`);
}

/**
 * Turns a JSON merge patch into changes: `uiFeedback` and `uxFeedback` are merged member by member (C-PATCH-1;
 * RFC 7396).
 */
export function mergeIntoFeedback(feedback: Feedback, patch: Schemas["FeedbackMergePatch"]): Schemas["FeedbackPatch"] {
  const { uiFeedback, uxFeedback, bugs, ...fields } = patch;
  return {
    ...fields,
    ...(uiFeedback !== undefined && { uiFeedback: uiFeedback && { ...feedback.uiFeedback, ...uiFeedback } }),
    ...(uxFeedback !== undefined && { uxFeedback: uxFeedback && { ...feedback.uxFeedback, ...uxFeedback } }),
    ...(bugs !== undefined && { bugs: bugs ?? [] }),
  };
}

/** A bug that is sent with its id keeps it; the others get new ids (C-FB-1). */
function changeBugs(stored: readonly Bug[], sent: readonly Schemas["BugPatch"][], newId: NewId): Bug[] {
  const free = new Set(stored.map(({ id }) => id));
  const faults = sent.flatMap(({ id }, index) =>
    id === undefined || free.delete(id)
      ? []
      : [
          {
            in: "body" as const,
            at: `/bugs/${index}/id`,
            message: "is not the id of a bug of this draft, or is named twice",
          },
        ],
  );
  if (faults.length > 0) throw invalidInput(faults);
  return sent.map((bug) => bugOf(bug, bug.id ?? newId("bug")));
}

/** Approves or rejects submitted feedback, for the project's owner (C-FB-5). */
export function moderateFeedback(
  feedback: Feedback,
  project: ProjectAccess,
  verdict: { readonly status: "approved" } | { readonly status: "rejected"; readonly rejectionReason: string | null },
  caller: Principal,
  now: Date,
): Feedback {
  requireOwner(project, caller, "moderate its feedback");
  if (feedback.status !== "submitted") {
    throw new DomainError(
      "not_submitted",
      `Only submitted feedback can be ${verdict.status}, and this is ${feedback.status}. Leave it as it is.`,
    );
  }
  return { ...feedback, ...verdict, updatedAt: changedAt(feedback, now) };
}

/** @throws DomainError for a tester, and for a draft (S-ROLE-1, C-HELP-1) */
export function requireMarkable(feedback: Feedback, caller: Principal): void {
  requireDeveloper(caller, "mark feedback as helpful");
  requirePastDraft(feedback, "marked as helpful");
}

function requirePastDraft(feedback: Feedback, done: string): void {
  if (feedback.status !== "draft") return;
  throw new DomainError("is_draft", `A draft cannot be ${done}. Submit it first.`);
}

/** The owner's reply to feedback (S-FB-REPLY-1, C-REPLY-1). */
export function replyTo(
  feedback: Feedback,
  project: ProjectAccess,
  input: Schemas["Reply"],
  caller: Principal,
  now: Date,
): DeveloperResponse {
  requireOwner(project, caller, "reply to its feedback");
  requirePastDraft(feedback, "replied to");
  const resolvedItems = input.resolvedItems ?? [];
  const known = new Set(feedback.bugs.map(({ id }) => id));
  const faults = resolvedItems.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ in: "body" as const, at: `/resolvedItems/${index}`, message: "is not the id of a bug of this feedback" }],
  );
  if (faults.length > 0) throw invalidInput(faults);
  return { message: input.message, resolvedItems: [...new Set(resolvedItems)], createdAt: now };
}

function uiOf(input: Schemas["FeedbackCreate"]["uiFeedback"]): Feedback["uiFeedback"] {
  if (!input) return null;
  const { design = null, colors = null, typography = null, layout = null } = input;
  return { design, colors, typography, layout };
}

function uxOf(input: Schemas["FeedbackCreate"]["uxFeedback"]): Feedback["uxFeedback"] {
  if (!input) return null;
  const { navigation = null, flow = null, usability = null, suggestions = null } = input;
  return { navigation, flow, usability, suggestions };
}

function bugOf(input: Schemas["BugInput"], id: string): Bug {
  const { description, severity, screenshot = null, stepsToReproduce = null } = input;
  return { id, description, severity, screenshot, stepsToReproduce };
}

export function responseDetail(response: DeveloperResponse): Schemas["DeveloperResponse"] {
  return {
    message: response.message,
    resolvedItems: [...response.resolvedItems],
    createdAt: response.createdAt.toISOString(),
  };
}

/** The detail of feedback in a response (S-FB-GET-1, C-SHOW-1). The reason of a rejection is for two people (C-FB-6). */
export function feedbackDetail(feedback: Feedback, project: ProjectAccess, viewer: Principal): Schemas["Feedback"] {
  const isConcerned = [feedback.testerId, project.ownerId].includes(viewer.accountId);
  return {
    id: feedback.id,
    projectId: feedback.projectId,
    testerId: feedback.testerId,
    overallRating: feedback.overallRating,
    uiFeedback: feedback.uiFeedback,
    uxFeedback: feedback.uxFeedback,
    bugs: [...feedback.bugs],
    generalComments: feedback.generalComments,
    status: feedback.status,
    helpfulCount: feedback.helpfulCount,
    developerResponse: feedback.developerResponse && responseDetail(feedback.developerResponse),
    rejectionReason: isConcerned ? feedback.rejectionReason : null,
    createdAt: feedback.createdAt.toISOString(),
    updatedAt: feedback.updatedAt.toISOString(),
  };
}

/** The entity tag of feedback's detail (C-COND-1). */
export function feedbackTag({ helpfulCount, ...content }: Schemas["Feedback"]): string {
  return entityTag(content, [helpfulCount]);
}
