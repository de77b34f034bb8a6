import type { Call, ResultPromise } from "./call.ts";
import type { Deletion, Project, ProjectCreate, ProjectItem, ProjectPatch, ProjectQuery } from "./generated/models.ts";
import { type List, list } from "./list.ts";
import type { CallOptions, ChangeOptions, DeleteOptions, ListOptions, WriteOptions } from "./options.ts";

/** Projects: developers publish them. */
export interface Projects {
  /** Lists the projects that the caller may see, newest first. */
  list(query?: ProjectQuery, options?: ListOptions): List<ProjectItem>;
  /** Reads a project with all its fields. Counts a view unless the caller is its owner. */
  get(id: string, options?: CallOptions): ResultPromise<Project>;
  /** Creates a project owned by the caller. Needs a developer's key. */
  create(project: ProjectCreate, options?: WriteOptions): ResultPromise<Project>;
  /** Changes the given fields and keeps the others. For its owner only. */
  update(id: string, changes: ProjectPatch, options?: ChangeOptions): ResultPromise<Project>;
  /** Deletes a project with all its feedback. For its owner only. */
  delete(id: string, options?: DeleteOptions): ResultPromise<Deletion>;
}

export const createProjects = (call: Call): Projects => ({
  list: (query, options) =>
    list((at) => call("GET", "/projects", { query: { ...query, ...at } }, options), query, options),
  get: (id, options) => call("GET", "/projects/{id}", { path: { id } }, options),
  create: (body, options) => call("POST", "/projects", { body }, options),
  update: (id, body, options) => call("PATCH", "/projects/{id}", { path: { id }, body }, options),
  delete: (id, options) => call("DELETE", "/projects/{id}", { path: { id } }, options),
});
