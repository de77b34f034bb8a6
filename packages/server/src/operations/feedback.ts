import { requireCurrent } from "../domain/entity-tag.ts";
import {
  changeFeedback,
  createFeedback,
  mergeIntoFeedback,
  replyTo,
  requireAuthor,
  requireMarkable,
  responseDetail,
} from "../domain/feedback.ts";
import { requireVisible } from "../domain/project.ts";
import type { FeedbackFilter } from "../store/feedback-repository.ts";
import { detailOf } from "./feedback-detail.ts";
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
    const [project, body] = await Promise.all([
      projects.find(projectId),
      pageOf(
        query,
        (skip, limit) => feedback.page(filter, { sort, skip, limit }),
        (item) => ({ ...item, createdAt: item.createdAt.toISOString() }),
      ),
    ]);
    requireVisible(project, caller);
    return { status: 200, body };
  },

  async createFeedback({ caller, path, body }, { projects, feedback }, { newId, now }) {
    const project = requireVisible(await projects.findAccess(path.projectId), caller);
    const created = createFeedback(body, project, caller, newId, now());
    feedback.insert(created);
    return { status: 201, location: `/feedback/${created.id}`, ...detailOf(created) };
  },

  async getFeedback({ caller, path }, repositories) {
    const { feedback } = await loadFeedback(path.id, caller, repositories);
    return { status: 200, ...detailOf(feedback) };
  },

  async updateFeedback({ caller, path, body, isMergePatch, ifMatch }, repositories, { newId }) {
    const { feedback: before, project } = await loadFeedback(path.id, caller, repositories);
    requireAuthor(before, caller);
    requireCurrent(ifMatch, () => detailOf(before).etag);
    const patch = isMergePatch ? mergeIntoFeedback(before, body) : body;
    const after = changeFeedback(before, project, patch, caller, newId);
    repositories.feedback.replace(before, after);
    return { status: 200, ...detailOf(after) };
  },

  async markFeedbackHelpful({ caller, path }, repositories) {
    const { feedback } = await loadFeedback(path.id, caller, repositories);
    requireMarkable(feedback, caller);
    const helpfulCount = await repositories.feedback.mark(feedback, caller.accountId);
    return { status: 200, body: { success: true, helpfulCount } };
  },

  async replyToFeedback({ caller, path, body }, repositories, { now }) {
    const { feedback, project } = await loadFeedback(path.id, caller, repositories);
    const developerResponse = replyTo(feedback, project, body, caller, now());
    repositories.feedback.replace(feedback, { ...feedback, developerResponse });
    return { status: 200, body: { success: true, developerResponse: responseDetail(developerResponse) } };
  },
};
