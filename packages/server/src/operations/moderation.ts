import type { Principal } from "../domain/account.ts";
import { moderateFeedback } from "../domain/feedback.ts";
import type { Repositories } from "../store/repositories.ts";
import { detailOf } from "./feedback-detail.ts";
import { loadFeedback } from "./load-feedback.ts";
import type { Operations } from "./operation.ts";

/** Approves or rejects submitted feedback (C-FB-5). */
async function moderate(
  id: string,
  verdict: Parameters<typeof moderateFeedback>[2],
  caller: Principal,
  repositories: Repositories,
  now: Date,
) {
  const { feedback, project } = await loadFeedback(id, caller, repositories);
  const moderated = moderateFeedback(feedback, project, verdict, caller, now);
  repositories.feedback.replace(feedback, moderated);
  return { status: 200 as const, ...detailOf(moderated, project, caller) };
}

export const moderationOperations: Pick<Operations, "approveFeedback" | "rejectFeedback"> = {
  approveFeedback: ({ caller, path }, repositories, { now }) =>
    moderate(path.id, { status: "approved" }, caller, repositories, now()),

  rejectFeedback: ({ caller, path, body }, repositories, { now }) =>
    moderate(path.id, { status: "rejected", rejectionReason: body?.reason ?? null }, caller, repositories, now()),
};
