import type { Principal } from "@project-feedback/server/domain/account";
import { createFeedback, feedbackDetail, type NewId, pastDraft } from "@project-feedback/server/domain/feedback";
import {
  audiencesFor,
  createProject,
  type Project,
  projectDetail,
  requireVisible,
} from "@project-feedback/server/domain/project";
import { queryWords } from "@project-feedback/server/domain/words";
import type { ProjectDocument } from "@project-feedback/server/store/database";
import * as feedbackRecords from "@project-feedback/server/store/feedback-repository";
import * as projectRecords from "@project-feedback/server/store/project-repository";
import type { components, operations } from "@project-feedback/spec";
import { type ClientSession, ObjectId } from "mongodb";
import type { PeerDatabase } from "./database.ts";

type Schemas = components["schemas"];
/** The parameters of the lists, as the contract types them; its defaults are filled in here where they are missing. */
export type ProjectsQuery = NonNullable<operations["listProjects"]["parameters"]["query"]>;
export type FeedbackQuery = NonNullable<operations["listFeedback"]["parameters"]["query"]>;
export type ProjectCreate = Schemas["ProjectCreate"];
export type FeedbackCreate = Schemas["FeedbackCreate"];

const projectFields = { title: 1, description: 1, category: 1, status: 1, createdAt: 1 } as const;
const feedbackFields = { projectId: 1, testerId: 1, overallRating: 1, status: 1, createdAt: 1 } as const;

const newId: NewId = (prefix) => `${prefix}_${new ObjectId().toHexString()}`;

/** A document as the domain's project. */
export function toProject({ audience: _audience, words: _words, ...fields }: ProjectDocument): Project {
  return projectRecords.toProject(fields);
}

/**
 * The five operations as users of these frameworks write them with the driver: on our layout, with our indexes, hints
 * and rules. Totals are counted by `countDocuments`. Errors of the domain are thrown.
 */
export class Operations {
  readonly #database: PeerDatabase;

  constructor(database: PeerDatabase) {
    this.#database = database;
  }

  async listProjects(caller: Principal, query: ProjectsQuery): Promise<Schemas["ProjectPage"]> {
    return listProjects(this.#database, audiencesFor(caller), query);
  }

  async getProject(caller: Principal, id: string): Promise<Schemas["Project"]> {
    const project = requireVisible(await this.#find(id), caller);
    if (project.ownerId !== caller.accountId) this.#countView(id);
    return projectDetail(project);
  }

  async listFeedback(caller: Principal, projectId: string, query: FeedbackQuery): Promise<Schemas["FeedbackPage"]> {
    const [project, page] = await Promise.all([
      this.#find(projectId),
      listFeedback(this.#database, caller.accountId, projectId, query),
    ]);
    requireVisible(project, caller);
    return page;
  }

  async createProject(caller: Principal, input: ProjectCreate): Promise<Schemas["Project"]> {
    const project = createProject(input, caller, newId("prj"), new Date());
    await this.#database.projects.insertOne(projectRecords.toDocument(project));
    return projectDetail(project);
  }

  /**
   * The feedback and its project's counts agree at any time, so both are written in one transaction. The project is
   * written first: concurrent transactions then conflict before they do the rest (1.4 times as many requests per second
   * as with reading it first). An error rolls it back.
   */
  async createFeedback(caller: Principal, projectId: string, input: FeedbackCreate): Promise<Schemas["Feedback"]> {
    const { client, projects, feedback } = this.#database;
    const { status = "submitted" } = input;
    return client.withSession((session) =>
      session.withTransaction(async () => {
        const one = { $inc: { [`counts.${status}`]: 1 } };
        const document = await projects.findOneAndUpdate({ _id: projectId }, one, { session });
        const project = requireVisible(document && toProject(document), caller);
        const created = createFeedback(input, project, caller, newId, new Date());
        if (status !== "draft") await this.#countTester(projectId, caller.accountId, session);
        await feedback.insertOne(feedbackRecords.toDocument(created), { session });
        return feedbackDetail(created, project, caller);
      }),
    );
  }

  /** Counts an author without submitted feedback on the project. */
  async #countTester(projectId: string, testerId: string, session: ClientSession): Promise<void> {
    const { projects, feedback } = this.#database;
    const earlier = { projectId, testerId, bucket: { $in: [...pastDraft] } };
    if (await feedback.findOne(earlier, { session, projection: { _id: 1 } })) return;
    await projects.updateOne({ _id: projectId }, { $inc: { "counts.testerRequests": 1 } }, { session });
  }

  async #find(id: string): Promise<Project | null> {
    const document = await this.#database.projects.findOne({ _id: id });
    return document && toProject(document);
  }

  /** Not awaited, and acknowledged by the primary alone: views may lag (C-STATS-1). */
  #countView(_id: string): void {
    const change = { $inc: { "counts.views": 1 } };
    this.#database.projects.updateOne({ _id }, change, { writeConcern: { w: 1 } }).catch((error: unknown) => {
      console.error("a view could not be counted", error);
    });
  }
}

/** A page of the projects of these audiences: `find` and `countDocuments` in parallel. */
export async function listProjects(
  { projects }: PeerDatabase,
  audiences: readonly string[],
  { page = 1, perPage = 20, status, category, search }: ProjectsQuery,
): Promise<Schemas["ProjectPage"]> {
  const words = search === undefined ? undefined : queryWords(search);
  // A search without a word finds nothing (C-SEARCH-1).
  if (words?.length === 0) return { data: [], pagination: { page, perPage, total: 0 } };
  const statuses = status?.split(",") as projectRecords.ProjectFilter["statuses"];
  const filter: projectRecords.ProjectFilter = { audiences, statuses, category, words };
  const query = projectRecords.projectQuery(filter);
  const hint = projectRecords.projectIndex(filter);
  const paging = { sort: projectRecords.projectOrder, skip: (page - 1) * perPage, limit: perPage };
  const [documents, total] = await Promise.all([
    projects.find(query, { projection: projectFields, ...paging, hint }).toArray(),
    projects.countDocuments(query, { hint }),
  ]);
  const data = documents.map(({ _id, title, description, category, status, createdAt }) => {
    return { id: _id, title, description, category, status, createdAt: createdAt.toISOString() };
  });
  return { data, pagination: { page, perPage, total } };
}

/** A page of a project's feedback as `viewerId` sees it: `find` and `countDocuments` in parallel. */
export async function listFeedback(
  { feedback }: PeerDatabase,
  viewerId: string,
  projectId: string,
  { page = 1, perPage = 20, status, testerId, sort = "date" }: FeedbackQuery,
): Promise<Schemas["FeedbackPage"]> {
  const statuses = status?.split(",") as feedbackRecords.FeedbackFilter["statuses"];
  const filter: feedbackRecords.FeedbackFilter = { projectId, viewerId, statuses, testerId };
  const query = feedbackRecords.feedbackQuery(filter);
  const hint = feedbackRecords.feedbackIndex(filter, feedbackRecords.feedbackOrder(sort));
  const paging = { sort: feedbackRecords.feedbackOrders[sort], skip: (page - 1) * perPage, limit: perPage };
  const [documents, total] = await Promise.all([
    feedback.find(query, { projection: feedbackFields, ...paging, hint }).toArray(),
    feedback.countDocuments(query, { hint }),
  ]);
  const data = documents.map(({ _id, projectId, testerId, overallRating, status, createdAt }) => {
    return { id: _id, projectId, testerId, overallRating, status, createdAt: createdAt.toISOString() };
  });
  return { data, pagination: { page, perPage, total } };
}
