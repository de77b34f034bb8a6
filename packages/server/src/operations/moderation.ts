import { moderateFeedback } from "../domain/feedback.ts";
import { detailOf } from "./feedback-detail.ts";
import { loadFeedback } from "./load-feedback.ts";
import type { Operation, Operations } from "./operation.ts";

/** Approves or rejects submitted feedback (C-FB-5). */
function moderate(verdict: "approved" | "rejected"): Operation<"approveFeedback"> & Operation<"rejectFeedback"> {
  return async ({ caller, path }, repositories) => {
    const { feedback, project } = await loadFeedback(path.id, caller, repositories);
    const moderated = moderateFeedback(feedback, project, verdict, caller);
    repositories.feedback.replace(feedback, moderated);
    return { status: 200, ...detailOf(moderated) };
  };
}

export const moderationOperations: Pick<Operations, "approveFeedback" | "rejectFeedback"> = {
  approveFeedback: moderate("approved"),
  rejectFeedback: moderate("rejected"),
};
