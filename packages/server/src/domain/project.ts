import type { components } from "@project-feedback/spec";
import type { Principal } from "./account.ts";
import { entityTag } from "./entity-tag.ts";
import { DomainError, invalidInput, notFound } from "./errors.ts";

type Schemas = components["schemas"];
export type ProjectStatus = Schemas["ProjectStatus"];
export type Category = Schemas["Category"];

/** What a project asks of its testers. The contract leaves the types of feedback open, for clients. */
type TestingRequirements = Omit<Schemas["TestingRequirements"], "feedbackTypes"> & {
  readonly feedbackTypes: Schemas["FeedbackType"][];
};

/** Counts that are stored with a project: views, feedback by status, distinct authors (C-STATS-1). */
export type ProjectCounts = Readonly<
  Record<"views" | Schemas["FeedbackStatus"] | "testerRequests" | "approvedTesters", number>
>;

/** A project. */
export interface Project {
  readonly id: string;
  readonly ownerId: string;
  readonly title: string;
  readonly description: string;
  readonly category: Category;
  readonly status: ProjectStatus;
  /** Whether it is or was active: only then do others see it (C-PROJ-4). */
  readonly wasActive: boolean;
  readonly screenshots: readonly string[];
  readonly projectUrl: string | null;
  readonly isPublic: boolean;
  readonly testingRequirements: TestingRequirements | null;
  readonly counts: ProjectCounts;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields of a project that decide who sees it and what may be done with its feedback. */
export type ProjectAccess = Pick<Project, "id" | "ownerId" | "status" | "wasActive" | "isPublic">;

export const noCounts: ProjectCounts = {
  views: 0,
  draft: 0,
  submitted: 0,
  approved: 0,
  rejected: 0,
  testerRequests: 0,
  approvedTesters: 0,
};

/** The statuses that a project may change to, by its status (C-PROJ-3). */
const transitions: Readonly<Record<ProjectStatus, readonly ProjectStatus[]>> = {
  draft: ["active", "archived"],
  active: ["completed", "archived"],
  completed: ["active", "archived"],
  archived: ["active"],
};

/** Who sees a project: `public`, or the id of one account (C-PROJ-4). It is stored, so that an index can serve lists. */
export type Audience = string;
export const everybody: Audience = "public";

export function audienceOf(project: Pick<ProjectAccess, "ownerId" | "wasActive" | "isPublic">): Audience {
  return project.isPublic && project.wasActive ? everybody : project.ownerId;
}

/** The audiences that a caller belongs to. A tester owns no project, so it sees only public ones. */
export function audiencesFor(caller: Principal): Audience[] {
  return caller.role === "developer" ? [everybody, caller.accountId] : [everybody];
}

/**
 * Returns the project if the caller may see it.
 * @throws DomainError `project_not_found`, as for an unknown id (C-PROJ-4)
 */
export function requireVisible<Known extends ProjectAccess>(project: Known | null, caller: Principal): Known {
  if (project && (audienceOf(project) === everybody || project.ownerId === caller.accountId)) return project;
  throw notFound("project");
}

/** @throws DomainError `role_required` for a tester (C-PROJ-4, S-ROLE-1) */
export function requireDeveloper(caller: Principal, doing: string): void {
  if (caller.role === "developer") return;
  throw new DomainError("role_required", `Only a developer may ${doing}. Use the key of a developer account.`);
}

/** @throws DomainError `role_required` or `not_owner` for anyone but the owner of the project (C-PROJ-4) */
export function requireOwner(project: ProjectAccess, caller: Principal, doing: string): void {
  requireDeveloper(caller, doing);
  if (project.ownerId === caller.accountId) return;
  throw new DomainError("not_owner", `Only the owner of the project may ${doing}. Use the owner's key.`);
}

/** A new project (C-PROJ-1, C-SHOW-1). The contract has filled in the defaults. */
export function createProject(input: Schemas["ProjectCreate"], caller: Principal, id: string, now: Date): Project {
  requireDeveloper(caller, "create a project");
  return {
    id,
    ownerId: caller.accountId,
    title: input.title,
    description: input.description,
    category: input.category,
    status: input.status ?? "active",
    wasActive: input.status !== "draft",
    screenshots: input.screenshots ?? [],
    projectUrl: input.projectUrl ?? null,
    isPublic: input.isPublic ?? true,
    testingRequirements: requirementsOf(input.testingRequirements),
    counts: noCounts,
    createdAt: now,
    updatedAt: now,
  };
}

/** Applies the owner's changes. Returns the same object when nothing is sent (C-PROJ-2, C-PROJ-3). */
export function changeProject(project: Project, patch: Schemas["ProjectPatch"], now: Date): Project {
  if (Object.keys(patch).length === 0) return project;
  const { status = project.status, testingRequirements, ...fields } = patch;
  if (status !== project.status && !transitions[project.status].includes(status)) {
    const choices = transitions[project.status].join(" or ");
    throw new DomainError(
      "invalid_transition",
      `A project that is ${project.status} cannot become ${status}. Move it to ${choices}.`,
    );
  }
  return {
    ...project,
    ...fields,
    status,
    wasActive: project.wasActive || status === "active",
    ...(testingRequirements === undefined ? {} : { testingRequirements: requirementsOf(testingRequirements) }),
    // Never earlier than before, even if the clock was set back.
    updatedAt: new Date(Math.max(now.getTime(), project.updatedAt.getTime())),
  };
}

/**
 * Turns a JSON merge patch into changes: `testingRequirements` is merged member by member (C-PATCH-1; RFC 7396).
 * @throws DomainError `invalid_input` if the merged numbers of testers are out of order
 */
export function mergeIntoProject(project: Project, patch: Schemas["ProjectMergePatch"]): Schemas["ProjectPatch"] {
  const { testingRequirements, screenshots, ...fields } = patch;
  const changes: Schemas["ProjectPatch"] = fields;
  if (screenshots !== undefined) changes.screenshots = screenshots ?? [];
  if (testingRequirements === undefined) return changes;
  const merged = testingRequirements && {
    ...requirementsOf(project.testingRequirements),
    ...testingRequirements,
  };
  const { minTesters, maxTesters, feedbackTypes } = merged ?? {};
  if (minTesters && maxTesters && minTesters > maxTesters) {
    const message = `must have minTesters at most maxTesters, and merged they are ${minTesters} and ${maxTesters}`;
    throw invalidInput([{ in: "body", at: "/testingRequirements", message }]);
  }
  return { ...changes, testingRequirements: merged && { ...merged, feedbackTypes: feedbackTypes ?? [] } };
}

function requirementsOf(input: Schemas["ProjectCreate"]["testingRequirements"]): Project["testingRequirements"] {
  if (!input) return null;
  return {
    minTesters: input.minTesters ?? null,
    maxTesters: input.maxTesters ?? null,
    feedbackTypes: input.feedbackTypes ?? [],
  };
}

/** The detail of a project in a response (S-PROJ-GET-1, C-SHOW-1). */
export function projectDetail(project: Project): Schemas["Project"] {
  const { counts } = project;
  return {
    id: project.id,
    title: project.title,
    description: project.description,
    category: project.category,
    status: project.status,
    screenshots: [...project.screenshots],
    projectUrl: project.projectUrl,
    isPublic: project.isPublic,
    testingRequirements: project.testingRequirements,
    stats: {
      views: counts.views,
      testerRequests: counts.testerRequests,
      approvedTesters: counts.approvedTesters,
      feedbackCount: counts.submitted + counts.approved + counts.rejected,
    },
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
  };
}

/** The entity tag of a project's detail (C-COND-1). */
export function projectTag({ stats, ...content }: Schemas["Project"]): string {
  return entityTag(content, Object.values(stats));
}
