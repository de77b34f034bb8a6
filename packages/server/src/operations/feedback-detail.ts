import type { Principal } from "../domain/account.ts";
import { type Feedback, feedbackDetail, feedbackTag } from "../domain/feedback.ts";
import type { ProjectAccess } from "../domain/project.ts";

/** Feedback in full as the viewer sees it, with its entity tag. */
export function detailOf(feedback: Feedback, project: ProjectAccess, viewer: Principal) {
  const body = feedbackDetail(feedback, project, viewer);
  return { body, etag: feedbackTag(body) };
}
