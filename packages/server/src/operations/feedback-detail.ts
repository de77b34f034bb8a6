import { type Feedback, feedbackDetail, feedbackTag } from "../domain/feedback.ts";

/** The detail of feedback, with its entity tag. */
export function detailOf(feedback: Feedback) {
  const body = feedbackDetail(feedback);
  return { body, etag: feedbackTag(body) };
}
