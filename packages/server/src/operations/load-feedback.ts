import type { Principal } from "../domain/account.ts";
import { type Feedback, requireVisibleFeedback } from "../domain/feedback.ts";
import type { ProjectAccess } from "../domain/project.ts";
import type { Repositories } from "../store/repositories.ts";

/** Feedback with its project, which decides who sees it; the 404 of an unknown id where the caller may not (C-FB-4). */
export async function loadFeedback(
  id: string,
  caller: Principal,
  { feedback, projects }: Repositories,
): Promise<{ feedback: Feedback; project: ProjectAccess }> {
  const found = await feedback.find(id);
  return requireVisibleFeedback(found, found && (await projects.findAccess(found.projectId)), caller);
}
