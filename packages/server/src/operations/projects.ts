import { requireCurrent } from "../domain/entity-tag.ts";
import {
  audiencesFor,
  changeProject,
  createProject,
  mergeIntoProject,
  type Project,
  type ProjectStatus,
  projectDetail,
  projectTag,
  requireOwner,
  requireVisible,
} from "../domain/project.ts";
import { queryWords } from "../domain/words.ts";
import type { ProjectFilter, ProjectOrder } from "../store/project-repository.ts";
import type { Operations } from "./operation.ts";
import { pageOf, sortFor, timeOf, valuesOf } from "./page.ts";

const orderFields = { created: undefined, updated: "updatedAt", title: "titleKey" } as const;
const valueTypes = { created: "none", updated: "date", title: "string" } as const;

/** The detail of a project, with its entity tag. */
function detailOf(project: Project) {
  const body = projectDetail(project);
  return { body, etag: projectTag(body) };
}

export const projectOperations: Pick<
  Operations,
  "listProjects" | "createProject" | "getProject" | "updateProject" | "deleteProject"
> = {
  async listProjects({ caller, query }, { projects }) {
    const words = query.search === undefined ? undefined : queryWords(query.search);
    const sort = sortFor(query, "created", "updated");
    const order: ProjectOrder = { field: orderFields[sort], descending: query.order !== "asc" };
    const filter: ProjectFilter = {
      audiences: audiencesFor(caller),
      statuses: valuesOf<ProjectStatus>(query.status),
      category: query.category,
      words,
      ownerId: query.owner && caller.accountId,
      updatedAfter: timeOf(query.updatedAfter),
    };
    return pageOf(query, {
      ...{ order, valueType: valueTypes[sort], filter },
      // A search without a word finds nothing (C-SEARCH-1).
      read: async (slice) => (words?.length === 0 ? { total: 0, items: [] } : projects.page(filter, order, slice)),
      item: ({ value: _value, createdAt, ...fields }) => ({ ...fields, createdAt: createdAt.toISOString() }),
    });
  },

  async createProject({ caller, body }, { projects }, { newId, now }) {
    const project = createProject(body, caller, newId("prj"), now());
    projects.insert(project);
    return { status: 201, location: `/projects/${project.id}`, ...detailOf(project) };
  },

  async getProject({ caller, path, isHead }, { projects }, { countView }) {
    const project = requireVisible(await projects.find(path.id), caller);
    if (project.ownerId !== caller.accountId && !isHead) countView(project.id);
    return { status: 200, ...detailOf(project) };
  },

  async updateProject({ caller, path, body, isMergePatch, ifMatch }, { projects }, { now }) {
    const before = requireVisible(await projects.find(path.id), caller);
    requireOwner(before, caller, "change it");
    requireCurrent(ifMatch, () => detailOf(before).etag);
    const patch = isMergePatch ? mergeIntoProject(before, body) : body;
    const after = changeProject(before, patch, now());
    if (after !== before) projects.replace(before, after);
    return { status: 200, ...detailOf(after) };
  },

  async deleteProject({ caller, path, ifMatch }, { projects }) {
    const project = requireVisible(await projects.find(path.id), caller);
    requireOwner(project, caller, "delete it");
    requireCurrent(ifMatch, () => detailOf(project).etag);
    projects.delete(project);
    return { status: 200, body: { success: true, message: "The project and its feedback were deleted." } };
  },
};
