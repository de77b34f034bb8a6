import { type Feedback, feedbackDetail, feedbackTag } from "../domain/feedback.ts";

/** What shows feedback in full. */
export function detailOf(feedback: Feedback) {
  const body = feedbackDetail(feedback);
  return { body, etag: feedbackTag(body) };
}
