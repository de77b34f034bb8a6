import {
  audiencesFor,
  changeProject,
  createProject,
  mergeIntoProject,
  projectDetail,
  requireOwner,
  requireVisible,
} from "../domain/project.ts";
import { wordsOf } from "../domain/words.ts";
import type { ProjectFilter } from "../store/project-repository.ts";
import type { Operations } from "./operation.ts";
import { pageOf } from "./page.ts";

export const projectOperations: Pick<
  Operations,
  "listProjects" | "createProject" | "getProject" | "updateProject" | "deleteProject"
> = {
  async listProjects({ caller, query }, { projects }) {
    const words = query.search === undefined ? undefined : wordsOf(query.search);
    const filter: ProjectFilter = {
      audiences: audiencesFor(caller),
      status: query.status,
      category: query.category,
      words,
    };
    const body = await pageOf(
      query,
      // A search without a word finds nothing (C-SEARCH-1).
      async (skip, limit) => (words?.length === 0 ? { total: 0, items: [] } : projects.page(filter, skip, limit)),
      (project) => ({ ...project, createdAt: project.createdAt.toISOString() }),
    );
    return { status: 200, body };
  },

  async createProject({ caller, body }, { projects }, { newId, now }) {
    const project = createProject(body, caller, newId("prj"), now());
    projects.insert(project);
    return { status: 201, location: `/projects/${project.id}`, body: projectDetail(project) };
  },

  async getProject({ caller, path, isHead }, { projects }, { countView }) {
    const project = requireVisible(await projects.find(path.id), caller);
    if (project.ownerId !== caller.accountId && !isHead) countView(project.id);
    return { status: 200, body: projectDetail(project) };
  },

  async updateProject({ caller, path, body, isMergePatch }, { projects }, { now }) {
    const before = requireVisible(await projects.find(path.id), caller);
    const patch = isMergePatch ? mergeIntoProject(before, body) : body;
    const after = changeProject(before, patch, caller, now());
    if (after !== before) projects.replace(before, after);
    return { status: 200, body: projectDetail(after) };
  },

  async deleteProject({ caller, path }, { projects }) {
    const project = requireVisible(await projects.find(path.id), caller);
    requireOwner(project, caller, "delete it");
    await projects.delete(project);
    return { status: 200, body: { success: true, message: "The project and its feedback were deleted." } };
  },
};
