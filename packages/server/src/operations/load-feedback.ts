import type { Principal } from "../domain/account.ts";
import { type Feedback, requireVisibleFeedback } from "../domain/feedback.ts";
import type { ProjectAccess } from "../domain/project.ts";
import type { Repositories } from "../store/repositories.ts";

/** Loads feedback and its project. @throws DomainError `feedback_not_found` if the caller may not see it (C-FB-4) */
export async function loadFeedback(
  id: string,
  caller: Principal,
  { feedback, projects }: Repositories,
): Promise<{ feedback: Feedback; project: ProjectAccess }> {
  const found = await feedback.find(id);
  return requireVisibleFeedback(found, found && (await projects.findAccess(found.projectId)), caller);
}
