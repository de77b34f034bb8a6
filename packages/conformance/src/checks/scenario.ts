import type { Evidence } from "../engine/check.ts";
import { bursts } from "../evidence/burst.ts";
import {
  attemptsAfterMark,
  attemptsAfterReply,
  marking,
  moreReplies,
  replying,
} from "../evidence/developer-actions.ts";
import { falseKeysEverywhere, falseKeysOnList } from "../evidence/false-keys.ts";
import {
  detailByAuthor,
  detailByOwner,
  developersSubmission,
  firstSubmission,
  marks,
  secondFeedback,
  submissions,
  unusualDetails,
} from "../evidence/feedback.ts";
import { draftChanges, submittedAttempts } from "../evidence/feedback-changes.ts";
import { feedbackLists, secondList } from "../evidence/feedback-lists.ts";
import { firstResponses } from "../evidence/first-responses.ts";
import { creationWithoutKey, deletion, laterDetails, projectChanges, survivors } from "../evidence/project-changes.ts";
import { pageBound, projectLists } from "../evidence/project-lists.ts";
import { creations, details, detailsByTester, ours, projects } from "../evidence/projects.ts";

/**
 * The order in which a run gathers its evidence: everything is created first, lists are read while nothing changes,
 * then records are changed, and deletions come last.
 */
export const scenario: readonly Evidence<unknown>[] = [
  firstResponses.developer,
  firstResponses.tester,
  bursts[0],
  bursts[1],
  falseKeysOnList,
  creations,
  projects,
  creationWithoutKey,
  ours,
  ...Object.values(details),
  ...Object.values(detailsByTester),
  firstSubmission,
  submissions,
  developersSubmission,
  detailByAuthor,
  detailByOwner,
  unusualDetails,
  secondFeedback,
  marks,
  feedbackLists,
  secondList,
  laterDetails,
  projectLists,
  pageBound,
  submittedAttempts,
  marking,
  attemptsAfterMark,
  replying,
  attemptsAfterReply,
  moreReplies,
  draftChanges,
  projectChanges,
  deletion,
  survivors,
  falseKeysEverywhere,
];
