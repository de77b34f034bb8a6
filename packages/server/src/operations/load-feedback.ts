import type { Principal } from "../domain/account.ts";
import { type Feedback, visibleFeedback } from "../domain/feedback.ts";
import type { Standing } from "../domain/project.ts";
import type { Records } from "../store/records.ts";

/** Feedback with its project, which decides who sees it; the 404 of an unknown id where the caller may not (C-FB-4). */
export async function loadFeedback(
  id: string,
  caller: Principal,
  { feedback, projects }: Records,
): Promise<{ feedback: Feedback; project: Standing }> {
  const found = await feedback.find(id);
  return visibleFeedback(found, found && (await projects.standing(found.projectId)), caller);
}
