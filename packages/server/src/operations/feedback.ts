import {
  changeFeedback,
  createFeedback,
  feedbackDetail,
  replyTo,
  requireMarkable,
  responseDetail,
} from "../domain/feedback.ts";
import { visible } from "../domain/project.ts";
import type { FeedbackFilter } from "../store/feedback-records.ts";
import { loadFeedback } from "./load-feedback.ts";
import type { Operations } from "./operation.ts";
import { pageOf } from "./page.ts";

export const feedbackOperations: Pick<
  Operations,
  "listFeedback" | "createFeedback" | "getFeedback" | "updateFeedback" | "markFeedbackHelpful" | "replyToFeedback"
> = {
  async listFeedback({ caller, path, query }, { projects, feedback }) {
    const { projectId } = path;
    const { status, testerId, sort = "date" } = query;
    const filter: FeedbackFilter = { projectId, viewerId: caller.accountId, status, testerId };
    const [found, tally] = await Promise.all([projects.find(projectId), feedback.tallyFor(filter)]);
    const project = visible(found, caller);
    const body = await pageOf(
      query,
      (skip, limit) => feedback.page(filter, project, tally, { sort, skip, limit }),
      (item) => ({ ...item, createdAt: item.createdAt.toISOString() }),
    );
    return { status: 200, body };
  },

  async createFeedback({ caller, path, body }, { projects, feedback }, { newId, now }) {
    const project = visible(await projects.standing(path.projectId), caller);
    const created = createFeedback(body, project, caller, newId, now());
    feedback.insert(created);
    return { status: 201, location: `/feedback/${created.id}`, body: feedbackDetail(created) };
  },

  async getFeedback({ caller, path }, records) {
    const { feedback } = await loadFeedback(path.id, caller, records);
    return { status: 200, body: feedbackDetail(feedback) };
  },

  async updateFeedback({ caller, path, body }, records, { newId }) {
    const { feedback: before, project } = await loadFeedback(path.id, caller, records);
    const after = changeFeedback(before, project, body, caller, newId);
    records.feedback.replace(before, after);
    return { status: 200, body: feedbackDetail(after) };
  },

  async markFeedbackHelpful({ caller, path }, records) {
    const { feedback } = await loadFeedback(path.id, caller, records);
    requireMarkable(feedback, caller);
    const helpfulCount = await records.feedback.mark(feedback, caller.accountId);
    return { status: 200, body: { success: true, helpfulCount } };
  },

  async replyToFeedback({ caller, path, body }, records, { now }) {
    const { feedback, project } = await loadFeedback(path.id, caller, records);
    const developerResponse = replyTo(feedback, project, body, caller, now());
    records.feedback.replace(feedback, { ...feedback, developerResponse });
    return { status: 200, body: { success: true, developerResponse: responseDetail(developerResponse) } };
  },
};
