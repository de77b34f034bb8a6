import type { Call } from "./call.ts";
import type { Deletion, Project, ProjectCreate, ProjectItem, ProjectPatch, ProjectQuery } from "./contract.ts";
import { type List, list } from "./list.ts";
import type { CallOptions, ListOptions, WriteOptions } from "./options.ts";
import type { Result } from "./result.ts";

/** What developers publish. */
export interface Projects {
  /** Lists the projects that the caller may see, newest first. */
  list(query?: ProjectQuery, options?: ListOptions): List<ProjectItem>;
  /** Reads a project in full, and counts a view where the reader is not its owner. */
  get(id: string, options?: CallOptions): Promise<Result<Project>>;
  /** Creates a project that belongs to the caller. Needs a developer's key. */
  create(project: ProjectCreate, options?: WriteOptions): Promise<Result<Project>>;
  /** Changes the fields that are sent and leaves the others. Only for the owner. */
  update(id: string, changes: ProjectPatch, options?: WriteOptions): Promise<Result<Project>>;
  /** Deletes a project with all its feedback. Only for the owner. */
  delete(id: string, options?: CallOptions): Promise<Result<Deletion>>;
}

export const createProjects = (call: Call): Projects => ({
  list: (query, options) =>
    list((page) => call("GET", "/projects", { query: { ...query, page } }, options), query?.page, options?.maxPages),
  get: (id, options) => call("GET", "/projects/{id}", { path: { id } }, options),
  create: (body, options) => call("POST", "/projects", { body }, options),
  update: (id, body, options) => call("PATCH", "/projects/{id}", { path: { id }, body }, options),
  delete: (id, options) => call("DELETE", "/projects/{id}", { path: { id } }, options),
});
