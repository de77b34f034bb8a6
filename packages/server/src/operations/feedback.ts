import { requireCurrent } from "../domain/entity-tag.ts";
import {
  changedAt,
  changeFeedback,
  createFeedback,
  type FeedbackStatus,
  mergeIntoFeedback,
  replyTo,
  requireAuthor,
  requireDraft,
  requireMarkable,
  responseDetail,
} from "../domain/feedback.ts";
import { requireVisible } from "../domain/project.ts";
import { type FeedbackFilter, feedbackOrder } from "../store/feedback-repository.ts";
import { detailOf } from "./feedback-detail.ts";
import { itemOf, valueTypeOf } from "./feedback-item.ts";
import { loadFeedback } from "./load-feedback.ts";
import type { Operations } from "./operation.ts";
import { pageOf, sortFor, timeOf, valuesOf } from "./page.ts";

export const feedbackOperations: Pick<
  Operations,
  | "listFeedback"
  | "createFeedback"
  | "getFeedback"
  | "updateFeedback"
  | "deleteFeedback"
  | "markFeedbackHelpful"
  | "unmarkFeedbackHelpful"
  | "replyToFeedback"
> = {
  async listFeedback({ caller, path, query }, { projects, feedback }) {
    const { projectId } = path;
    const order = feedbackOrder(sortFor(query, "date", "updated"), query.order);
    const filter: FeedbackFilter = {
      ...{ projectId, viewerId: caller.accountId, statuses: valuesOf<FeedbackStatus>(query.status) },
      testerId: query.testerId === "me" ? caller.accountId : query.testerId,
      updatedAfter: timeOf(query.updatedAfter),
    };
    const [project, reply] = await Promise.all([
      projects.find(projectId),
      pageOf(query, {
        ...{ order, valueType: valueTypeOf(order), filter, item: itemOf },
        read: (slice) => feedback.page(filter, order, slice),
      }),
    ]);
    requireVisible(project, caller);
    return reply;
  },

  async createFeedback({ caller, path, body }, { projects, feedback }, { newId, now }) {
    const project = requireVisible(await projects.findAccess(path.projectId), caller);
    const created = createFeedback(body, project, caller, newId, now());
    feedback.insert(created);
    return { status: 201, location: `/feedback/${created.id}`, ...detailOf(created, project, caller) };
  },

  async getFeedback({ caller, path }, repositories) {
    const { feedback, project } = await loadFeedback(path.id, caller, repositories);
    return { status: 200, ...detailOf(feedback, project, caller) };
  },

  async updateFeedback({ caller, path, body, isMergePatch, ifMatch }, repositories, { newId, now }) {
    const { feedback: before, project } = await loadFeedback(path.id, caller, repositories);
    requireAuthor(before, caller);
    requireCurrent(ifMatch, () => detailOf(before, project, caller).etag);
    const patch = isMergePatch ? mergeIntoFeedback(before, body) : body;
    const after = changeFeedback(before, project, patch, caller, newId, now());
    if (after !== before) repositories.feedback.replace(before, after);
    return { status: 200, ...detailOf(after, project, caller) };
  },

  async markFeedbackHelpful({ caller, path }, repositories) {
    const { feedback } = await loadFeedback(path.id, caller, repositories);
    requireMarkable(feedback, caller);
    const helpfulCount = await repositories.feedback.mark(feedback, caller.accountId);
    return { status: 200, body: { success: true, helpfulCount } };
  },

  async unmarkFeedbackHelpful({ caller, path }, repositories) {
    const { feedback } = await loadFeedback(path.id, caller, repositories);
    requireMarkable(feedback, caller);
    const helpfulCount = await repositories.feedback.unmark(feedback, caller.accountId);
    return { status: 200, body: { success: true, helpfulCount } };
  },

  async deleteFeedback({ caller, path, ifMatch }, repositories) {
    const { feedback, project } = await loadFeedback(path.id, caller, repositories);
    requireAuthor(feedback, caller);
    requireCurrent(ifMatch, () => detailOf(feedback, project, caller).etag);
    requireDraft(feedback, "deleted", "It stays with the project.");
    repositories.feedback.deleteDraft(feedback);
    return { status: 200, body: { success: true, message: "The draft was deleted." } };
  },

  async replyToFeedback({ caller, path, body }, repositories, { now }) {
    const { feedback, project } = await loadFeedback(path.id, caller, repositories);
    const time = now();
    const developerResponse = replyTo(feedback, project, body, caller, time);
    repositories.feedback.replace(feedback, { ...feedback, developerResponse, updatedAt: changedAt(feedback, time) });
    return { status: 200, body: { success: true, developerResponse: responseDetail(developerResponse) } };
  },
};
