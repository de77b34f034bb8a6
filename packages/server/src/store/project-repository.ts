import type { ClientSession, Filter } from "mongodb";
import {
  audienceOf,
  type Category,
  everybody,
  type Project,
  type ProjectAccess,
  type ProjectStatus,
} from "../domain/project.ts";
import { indexWords } from "../domain/words.ts";
import type { Database, ProjectDocument } from "./database.ts";
import { find } from "./find.ts";
import type { Loaders, ReadProject } from "./loaders.ts";
import { maxSpeculativeSkip, type Page } from "./page.ts";
import { tallyChanges } from "./project-tallies.ts";
import { projectTotals } from "./project-totals.ts";
import { requireTransaction, type Transaction } from "./transaction.ts";

/** Which projects a list holds. */
export interface ProjectFilter {
  readonly audiences: readonly string[];
  readonly status: ProjectStatus | undefined;
  readonly category: Category | undefined;
  /** Folded words, each of which begins a word of the project; undefined where nothing is searched for. */
  readonly words: readonly string[] | undefined;
}

export type ProjectItem = Pick<Project, "id" | "title" | "description" | "category" | "status" | "createdAt">;
type ItemDocument = Omit<ProjectItem, "id"> & { _id: string };

const itemFields = { title: 1, description: 1, category: 1, status: 1, createdAt: 1 } as const;

/** Newest first, then by id (C-LIST-2). */
export const projectOrder = { createdAt: -1, _id: -1 } as const;

/** A project as it is stored. */
export function toDocument(project: Project): ProjectDocument {
  const { id, ...fields } = project;
  return { _id: id, ...fields, audience: audienceOf(project), words: indexWords(project.title, project.description) };
}

/** A stored project, without what only its indexes need. */
export function toProject({ _id, ...fields }: ReadProject): Project {
  return { id: _id, ...fields, wasActive: wasActive(fields) };
}

/** An archived project of before 1.1 counts as published, as it was then, until `counts repair` has looked at it. */
function wasActive({ status, wasActive }: Pick<ProjectDocument, "status" | "wasActive">): boolean {
  return status === "active" || status === "completed" || (wasActive ?? status === "archived");
}

/** A word as an expression. mongod knows a prefix with escaped signs to be exact; RegExp.escape escapes letters too. */
function escaped(word: string): string {
  return word.replaceAll(/[.+#]/g, String.raw`\$&`);
}

/** The query of a list. Every value is a string of the contract or a word of letters, digits and marks, so no operator can be injected. */
export function projectQuery(filter: ProjectFilter): Filter<ProjectDocument> {
  return {
    audience: { $in: filter.audiences },
    ...(filter.status && { status: filter.status }),
    ...(filter.category && { category: filter.category }),
    ...(filter.words && {
      // mongod reads the matches of the first word; the longest word tends to have the fewest. A prefix is a regular
      // expression, not a range in $elemMatch: mongod then counts the matches of one word by index keys alone.
      $and: filter.words
        .toSorted((a, b) => b.length - a.length)
        .map((word) => ({ words: { $regex: `^${escaped(word)}` } })),
    }),
  };
}

/**
 * The index that serves a list, used as a hint. Without it mongod chooses by trial, and remembers a choice that was good for
 * one list, such as one without a match or one with a common word, for lists where it is bad.
 */
export function projectIndex({ status, category, words }: ProjectFilter): Readonly<Record<string, 1 | -1>> {
  if (words) return { audience: 1, words: 1 };
  return { audience: 1, ...(status && { status: 1 }), ...(category && { category: 1 }), ...projectOrder };
}

/** Projects in the database. */
export class ProjectRepository {
  readonly #database: Database;
  readonly #loaders: Loaders;
  readonly #transaction: Transaction | undefined;
  readonly #options: { session?: ClientSession };

  constructor(database: Database, loaders: Loaders, transaction: Transaction | undefined) {
    this.#database = database;
    this.#loaders = loaders;
    this.#transaction = transaction;
    this.#options = transaction ? { session: transaction.session } : {};
  }

  async find(id: string): Promise<Project | null> {
    const document = await this.#loaders.project(id);
    return document ? toProject(document) : null;
  }

  /** The part of a project that decides on access. */
  async findAccess(id: string): Promise<ProjectAccess | null> {
    const document = await this.#loaders.access(id);
    if (!document) return null;
    const { ownerId, status, isPublic } = document;
    return { id, ownerId, status, isPublic, wasActive: wasActive(document) };
  }

  insert(project: Project): void {
    const { unitOfWork } = requireTransaction(this.#transaction);
    unitOfWork.insert("projects", toDocument(project));
    unitOfWork.tally(tallyChanges(null, project));
  }

  /** Saves the fields that the owner can change, which the counts are not. */
  replace(before: Project, after: Project): void {
    const { _id, counts: _counts, ...fields } = toDocument(after);
    const { unitOfWork } = requireTransaction(this.#transaction);
    unitOfWork.update("projects", _id, { $set: fields });
    unitOfWork.tally(tallyChanges(before, after));
  }

  /** Deletes the project. Its feedback, marks and tallies are found by its id alone; they are removed later (C-PROJ-5). */
  delete(project: Project): void {
    const { unitOfWork } = requireTransaction(this.#transaction);
    unitOfWork.delete("projects", project.id);
    unitOfWork.insert("deletions", { _id: project.id, claimedUntil: new Date(0) });
    unitOfWork.tally(tallyChanges(project, null));
  }

  /** One page, newest first, and the total of all pages. `skip` and `limit` are numbers of projects. */
  async page(filter: ProjectFilter, skip: number, limit: number): Promise<Page<ProjectItem>> {
    return filter.words ? this.#search(filter, skip, limit) : this.#listed(filter, skip, limit);
  }

  /** The matches are counted and read at the same time. */
  async #search(filter: ProjectFilter, skip: number, limit: number): Promise<Page<ProjectItem>> {
    const [total, items] = await Promise.all([this.#matches(filter), this.#list(filter, skip, limit)]);
    return { total, items };
  }

  /**
   * The totals and the page of what everybody sees are read at the same time: that is the whole page for most callers, and
   * shared by them. Only a caller with projects of its own in the list needs a second read.
   */
  async #listed(filter: ProjectFilter, skip: number, limit: number): Promise<Page<ProjectItem>> {
    const shared = { ...filter, audiences: [everybody] };
    const reading = skip <= maxSpeculativeSkip ? this.#list(shared, skip, limit) : undefined;
    const [totals, items] = await Promise.all([projectTotals(this.#loaders, filter), reading]);
    const audiences = filter.audiences.filter((audience) => (totals.get(audience) ?? 0) > 0);
    const total = [...totals.values()].reduce((sum, number) => sum + number, 0);
    if (skip >= total) return { total, items: [] };
    const isShared = audiences.length === 1 && audiences[0] === everybody;
    return { total, items: items && isShared ? items : await this.#list({ ...filter, audiences }, skip, limit) };
  }

  async #list(filter: ProjectFilter, skip: number, limit: number): Promise<ProjectItem[]> {
    const query = {
      ...{ filter: projectQuery(filter), projection: itemFields, sort: projectOrder, hint: projectIndex(filter) },
      ...{ skip, limit },
    };
    return this.#loaders.share([query], async () => {
      const documents = await find<ItemDocument>(this.#database, "projects", query, this.#options.session);
      return documents.map(({ _id, ...fields }) => ({ id: _id, ...fields }));
    });
  }

  /** The number of projects that a search finds, counted among the matches of one of its words. */
  async #matches(filter: ProjectFilter): Promise<number> {
    const options = { ...this.#options, hint: projectIndex(filter) };
    return this.#loaders.share([filter], () => this.#database.projects.countDocuments(projectQuery(filter), options));
  }
}
