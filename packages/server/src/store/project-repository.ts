import type { ClientSession, Filter } from "mongodb";
import type { ListOrder, OrderValue, Slice } from "../domain/list-order.ts";
import {
  audienceOf,
  type Category,
  everybody,
  type Project,
  type ProjectAccess,
  type ProjectStatus,
} from "../domain/project.ts";
import { fold, indexWords } from "../domain/words.ts";
import type { Database, ProjectDocument } from "./database.ts";
import { find } from "./find.ts";
import { orderKeys, type Reading, readSlice, within } from "./keyset.ts";
import type { Loaders, ReadProject } from "./loaders.ts";
import { isSpeculative, type Page } from "./page.ts";
import { tallyChanges } from "./project-tallies.ts";
import { projectTotals } from "./project-totals.ts";
import { requireTransaction, type Transaction } from "./transaction.ts";

/** Which projects a list holds. */
export interface ProjectFilter {
  readonly audiences: readonly string[];
  readonly statuses: readonly ProjectStatus[] | undefined;
  readonly category: Category | undefined;
  /** Folded words, each of which begins a word of the project; undefined where nothing is searched for. */
  readonly words: readonly string[] | undefined;
  /** The account whose projects alone are listed. */
  readonly ownerId?: string | undefined;
  readonly updatedAfter?: Date | undefined;
}

/** A project in a list, with its value in the list's order. */
export interface ListedProject extends ProjectItem {
  readonly value: OrderValue | undefined;
}

export type ProjectOrder = ListOrder<"updatedAt" | "titleKey">;

const byCreation: ProjectOrder = { field: undefined, descending: true };

export type ProjectItem = Pick<Project, "id" | "title" | "description" | "category" | "status" | "createdAt">;
type ItemDocument = Omit<ProjectItem, "id"> & { _id: string; updatedAt?: Date; titleKey?: string };

const itemFields = { title: 1, description: 1, category: 1, status: 1, createdAt: 1 } as const;

/** Newest first, then by id (C-LIST-2). */
export const projectOrder = { createdAt: -1, _id: -1 } as const;

/** A project as it is stored. */
export function toDocument(project: Project): ProjectDocument {
  const { id, ...fields } = project;
  const words = indexWords(project.title, project.description);
  return { _id: id, ...fields, audience: audienceOf(project), words, titleKey: fold(project.title) };
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
  // An owner sees all of its projects. Without the audience, its list is counted by index keys alone.
  const isAnyAudience = filter.ownerId !== undefined && !filter.words;
  return {
    ...(!isAnyAudience && { audience: { $in: filter.audiences } }),
    ...(filter.ownerId !== undefined && { ownerId: filter.ownerId }),
    ...(filter.updatedAfter && { updatedAt: { $gt: filter.updatedAfter } }),
    ...(filter.statuses && { status: filter.statuses.length === 1 ? filter.statuses[0] : { $in: filter.statuses } }),
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
export function projectIndex(filter: ProjectFilter, order = byCreation): Readonly<Record<string, 1 | -1>> {
  const { statuses, category, words, ownerId } = filter;
  if (words) return { audience: 1, words: 1 };
  if (ownerId !== undefined) return { ownerId: 1, ...orderKeys(order), status: 1, category: 1 };
  if (order.field !== undefined) return { audience: 1, ...orderKeys(order), status: 1, category: 1 };
  return { audience: 1, ...(statuses && { status: 1 }), ...(category && { category: 1 }), ...orderKeys(order) };
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

  /** One slice of a list, and the total of the list. */
  async page(filter: ProjectFilter, order: ProjectOrder, slice: Slice): Promise<Page<ListedProject>> {
    const isTallied = !filter.words && filter.ownerId === undefined && !filter.updatedAfter;
    return isTallied ? this.#listed(filter, order, slice) : this.#counted(filter, order, slice);
  }

  /** A list without a tally: its records are counted and read at the same time. */
  async #counted(filter: ProjectFilter, order: ProjectOrder, slice: Slice): Promise<Page<ListedProject>> {
    const [total, items] = await Promise.all([this.#count(filter, order), this.#slice(filter, order, slice)]);
    return { total, items };
  }

  /**
   * The totals and the slice of what everybody sees are read at the same time: that is the whole slice for most callers,
   * and shared by them. Only a caller with projects of its own in the list needs a second read.
   */
  async #listed(filter: ProjectFilter, order: ProjectOrder, slice: Slice): Promise<Page<ListedProject>> {
    const shared = { ...filter, audiences: [everybody] };
    const reading = isSpeculative(slice) ? this.#slice(shared, order, slice) : undefined;
    const [totals, items] = await Promise.all([projectTotals(this.#loaders, filter), reading]);
    const audiences = filter.audiences.filter((audience) => (totals.get(audience) ?? 0) > 0);
    const total = [...totals.values()].reduce((sum, number) => sum + number, 0);
    if (total === 0 || ("skip" in slice && slice.skip >= total)) return { total, items: [] };
    const isShared = audiences.length === 1 && audiences[0] === everybody;
    return { total, items: items && isShared ? items : await this.#slice({ ...filter, audiences }, order, slice) };
  }

  #slice(filter: ProjectFilter, order: ProjectOrder, slice: Slice): Promise<readonly ListedProject[]> {
    return readSlice(order, slice, (reading) => this.#list(filter, order, reading));
  }

  #list(filter: ProjectFilter, order: ProjectOrder, reading: Reading): Promise<ListedProject[]> {
    const projection = { ...itemFields, ...(order.field && { [order.field]: 1 }) };
    const query = {
      ...reading,
      filter: within(projectQuery(filter), reading),
      projection,
      hint: projectIndex(filter, order),
    };
    return this.#loaders.share([query], async () => {
      const documents = await find<ItemDocument>(this.#database, "projects", query, this.#options.session);
      return documents.map((document) => {
        const { _id, updatedAt, titleKey, ...fields } = document;
        return { id: _id, ...fields, value: order.field && document[order.field] };
      });
    });
  }

  /** The number of projects in a list that has no tally: it is counted by the keys of the list's index. */
  async #count(filter: ProjectFilter, order: ProjectOrder): Promise<number> {
    const options = { ...this.#options, hint: projectIndex(filter, order) };
    return this.#loaders.share([filter, order], () =>
      this.#database.projects.countDocuments(projectQuery(filter), options),
    );
  }
}
