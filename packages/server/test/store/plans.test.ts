import { randomUUID } from "node:crypto";
import type { Document, Filter, FindOptions } from "mongodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListOrder, Position } from "../../src/domain/list-order.ts";
import { audiencesFor } from "../../src/domain/project.ts";
import { queryWords } from "../../src/domain/words.ts";
import { connect, type Database } from "../../src/store/database.ts";
import {
  type FeedbackFilter,
  feedbackIndex,
  feedbackOrder,
  feedbackOrders,
  feedbackQuery,
  testerIndex,
  testerQuery,
  toDocument as toFeedback,
} from "../../src/store/feedback-repository.ts";
import { makeIndexes } from "../../src/store/indexes.ts";
import { rangesAfter, sortOf } from "../../src/store/keyset.ts";
import {
  type ProjectFilter,
  projectIndex,
  projectOrder,
  projectQuery,
  toDocument as toProject,
} from "../../src/store/project-repository.ts";
import { randomFrom, realisticFeedback, realisticProject } from "../harness/realistic-data.ts";
import { uriOf } from "../harness/server.ts";

const perPage = 20;
const owners = ["acc_a", "acc_b", "acc_c"];
const testers = ["acc_a", "acc_t", "acc_u", "acc_v"];
const busyProject = "prj_busy";
const rare = 12;

let database: Database;
let words: readonly string[];
beforeAll(async () => {
  database = await connect(uriOf(`test_${randomUUID().slice(0, 8)}`));
  await makeIndexes(database);
  const random = randomFrom(1);
  const projects = Array.from({ length: 4_000 }, (_, number) =>
    toProject(
      realisticProject(
        number,
        random,
        owners,
        number % (4_000 / rare) < 1 ? "Zeppelin zenith v2.0.1 \u9879\u76ee\u53cd\u9988" : "",
      ),
    ),
  );
  words = projects.flatMap((project) => project.words);
  await database.projects.insertMany(projects);
  const feedback = Array.from({ length: 4_000 }, (_, number) =>
    toFeedback(realisticFeedback(number, random, number % 4 === 0 ? "prj_other" : busyProject, testers)),
  );
  await database.feedback.insertMany(feedback);
});
afterAll(async () => {
  await database.db.dropDatabase();
  await database.client.close();
});

/** The plan of a query and the work of one execution. */
interface Plan {
  readonly stages: readonly string[];
  readonly keysExamined: number;
  readonly docsExamined: number;
  readonly returned: number;
}

function stagesOf(plan: Document): string[] {
  const inner = [plan.inputStage, ...(plan.inputStages ?? [])].filter((stage) => stage !== undefined);
  return [plan.stage, ...inner.flatMap(stagesOf)];
}

async function explain(
  collection: "projects" | "feedback",
  query: object,
  options: Pick<FindOptions, "sort" | "hint">,
): Promise<Plan> {
  const cursor = database.db.collection(collection).find(query as Filter<Document>, { ...options, limit: perPage });
  const { queryPlanner, executionStats } = await cursor.explain("executionStats");
  return {
    stages: stagesOf(queryPlanner.winningPlan.queryPlan ?? queryPlanner.winningPlan),
    keysExamined: executionStats.totalKeysExamined,
    docsExamined: executionStats.totalDocsExamined,
    returned: executionStats.nReturned,
  };
}

/** What is wrong with the plan of a first page. Empty when an index serves it in order. */
function faultsOf({ stages, keysExamined, docsExamined }: Plan): string[] {
  const max = 2 * perPage;
  return [
    ...(stages.includes("COLLSCAN") ? ["scans the collection"] : []),
    // A query that cannot have a match examines no keys; its SORT stage sorts nothing.
    ...(stages.includes("SORT") && keysExamined > 0 ? ["sorts in memory"] : []),
    ...(keysExamined > max ? [`examines ${keysExamined} keys`] : []),
    ...(docsExamined > max ? [`examines ${docsExamined} documents`] : []),
  ];
}

const statuses = [undefined, "draft", "active", "completed", "archived"] as const;
const categories = [undefined, "web", "mobile", "desktop", "other"] as const;
const viewers = { developer: "acc_a", "developer without projects": "acc_z", tester: "acc_t" };
const viewerOf = (name: keyof typeof viewers) =>
  ({ accountId: viewers[name], role: name === "tester" ? "tester" : "developer", keyId: "", plan: "free" }) as const;

const projectLists = Object.keys(viewers).flatMap((viewer) =>
  statuses.flatMap((status) => categories.map((category) => ({ viewer, status, category }))),
);
function projectFilter({ viewer, status, category }: (typeof projectLists)[number], search?: string): ProjectFilter {
  const words = search === undefined ? undefined : queryWords(search);
  const audiences = audiencesFor(viewerOf(viewer as keyof typeof viewers));
  return { audiences, statuses: status && [status], category, words };
}

const feedbackLists = (["date", "rating", "helpful", "updated"] as const).flatMap((sort) =>
  ([undefined, "draft", "submitted", "approved", "rejected"] as const).flatMap((status) =>
    [undefined, "acc_t", "acc_u", "acc_nobody"].map((testerId) => ({ sort, status, testerId })),
  ),
);
function feedbackFilter({ status, testerId }: (typeof feedbackLists)[number]): FeedbackFilter {
  return { projectId: busyProject, viewerId: "acc_t", statuses: status && [status], testerId };
}

test(`each of the ${projectLists.length} project lists is served in order by an index`, async () => {
  for (const list of projectLists) {
    const filter = projectFilter(list);
    const plan = await explain("projects", projectQuery(filter), { sort: projectOrder, hint: projectIndex(filter) });
    expect({ list, faults: faultsOf(plan) }).toEqual({ list, faults: [] });
  }
});

test(`each of the ${feedbackLists.length} feedback lists is served in order by an index`, async () => {
  for (const list of feedbackLists) {
    const filter = feedbackFilter(list);
    const options = { sort: feedbackOrders[list.sort], hint: feedbackIndex(filter, feedbackOrder(list.sort)) };
    const plan = await explain("feedback", feedbackQuery(filter), options);
    expect({ list, faults: faultsOf(plan) }).toEqual({ list, faults: [] });
  }
});

const directions = [true, false];
const projectOrders = ([undefined, "updatedAt", "titleKey"] as const).flatMap((field) =>
  directions.map((descending) => ({ field, descending })),
);
const orderOfSorts = (["date", "rating", "helpful", "updated"] as const).flatMap((sort) =>
  (["desc", "asc"] as const).map((direction) => feedbackOrder(sort, direction)),
);

/** What the queries of a page examine, at its beginning and beside a record in the middle of the list. */
async function faultsInDepth(
  collection: "projects" | "feedback",
  filter: Filter<Document>,
  order: ListOrder,
  hint: Readonly<Record<string, 1 | -1>>,
): Promise<string[]> {
  const [middle] = await database.db.collection(collection).find(filter).sort(sortOf(order)).skip(1_000).toArray();
  const position = middle && { value: order.field && middle[order.field], createdAt: middle.createdAt, id: middle._id };
  const first = { filter: {}, sort: sortOf(order) };
  const ranges = [first, ...(position ? rangesAfter(order, position as unknown as Position) : [])];
  const plans = await Promise.all(
    ranges.map((range) => explain(collection, { $and: [filter, range.filter] }, { sort: range.sort, hint })),
  );
  return plans.flatMap(faultsOf);
}

test("C-LIST-4: each order of project lists, of all and of one owner, is served by an index, at any depth", async () => {
  for (const order of projectOrders) {
    for (const ownerId of [undefined, "acc_a"]) {
      const filter = {
        audiences: ["public", "acc_a"],
        statuses: undefined,
        category: undefined,
        words: undefined,
        ownerId,
      };
      const query = projectQuery(filter) as Filter<Document>;
      const faults = await faultsInDepth("projects", query, order, projectIndex(filter, order));
      expect({ order, ownerId, faults }).toEqual({ order, ownerId, faults: [] });
    }
  }
});

test("C-LIST-4: filters in these orders cost no document that is not on the page", async () => {
  for (const order of projectOrders) {
    for (const ownerId of [undefined, "acc_a"]) {
      const filters = { statuses: ["completed", "archived"], category: "desktop" } as const;
      const filter = { audiences: ["public", "acc_a"], ...filters, words: undefined, ownerId };
      const hint = projectIndex(filter, order);
      const { docsExamined, stages } = await explain("projects", projectQuery(filter), { sort: sortOf(order), hint });
      expect(docsExamined).toBeLessThanOrEqual(2 * perPage);
      expect(stages).not.toContain("SORT");
    }
  }
});

test("C-LIST-3 C-LIST-4: each order of feedback lists is served by an index, at any depth", async () => {
  for (const order of orderOfSorts) {
    for (const testerId of [undefined, "acc_t"]) {
      const filter = { projectId: busyProject, viewerId: "acc_t", statuses: undefined, testerId };
      const query = feedbackQuery(filter) as Filter<Document>;
      const faults = await faultsInDepth("feedback", query, order, feedbackIndex(filter, order));
      expect({ order, testerId, faults }).toEqual({ order, testerId, faults: [] });
    }
  }
});

test("C-ME-1: a list of one's own feedback is served by an index, at any depth", async () => {
  for (const order of orderOfSorts.filter(({ field }) => field === undefined || field === "updatedAt")) {
    const filter = { testerId: "acc_t", statuses: undefined, updatedAfter: new Date(0) };
    const query = testerQuery(filter, ["prj_gone"]) as Filter<Document>;
    const faults = await faultsInDepth("feedback", query, order, testerIndex(order));
    expect({ order, faults }).toEqual({ order, faults: [] });
  }
});

test("C-LIST-4: updatedAfter is a range of the index", async () => {
  const order = { field: "updatedAt", descending: false } as const;
  const [last] = await database.projects.find().sort({ updatedAt: -1 }).skip(100).limit(1).toArray();
  const filter: ProjectFilter = {
    ...{ audiences: ["public", "acc_a"], statuses: undefined, category: undefined, words: undefined },
    updatedAfter: last?.updatedAt,
  };
  const options = { sort: sortOf(order), hint: projectIndex(filter, order) };
  expect(faultsOf(await explain("projects", projectQuery(filter), options))).toEqual([]);
});

const searches = projectLists.filter(
  ({ status, category }) => [undefined, "active"].includes(status) && [undefined, "web"].includes(category),
);

/** The number of words of projects that begin with a prefix. */
const matchesOf = (prefix: string) => words.filter((word) => word.startsWith(prefix)).length;

describe("C-SEARCH-1: a search examines only the matches of one of its words", () => {
  test.each([
    ["zeppelin", "zeppelin"],
    ["zepp", "zepp"],
    ["Zén", "zen"],
    ["zeppelin zenith", "zeppelin"],
    ["the zeppelin", "zeppelin"],
    ["zeppelin the and your", "zeppelin"],
    ["people your zenith", "people"],
    ["garden nowhere", "nowhere"],
    ["the", "the"],
    ["2.0", "2.0"],
    ["\u53cd\u9988", "\u53cd\u9988"],
  ])("%s: the matches of %s", async (search, word) => {
    const matches = matchesOf(word);
    for (const list of searches) {
      const filter = projectFilter(list, search);
      const query = projectQuery(filter);
      const hint = projectIndex(filter);
      const plan = await explain("projects", query, { sort: projectOrder, hint });
      expect(plan.stages).not.toContain("COLLSCAN");
      expect(plan.docsExamined).toBeLessThanOrEqual(matches);
      // Four ranges: two audiences, each with strings and regular expressions. Each range examines one key beyond its end.
      expect(plan.keysExamined).toBeLessThanOrEqual(matches + 4);
      const counting = await database.projects
        .aggregate([{ $match: query }, { $count: "total" }], { hint })
        .explain("executionStats");
      const { executionStats } = counting.stages?.[0]?.$cursor ?? counting;
      // The index has only the words: the matches of a single word are counted by index keys alone.
      const indexSaysAll = filter.words?.length === 1 && !list.status && !list.category;
      expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(indexSaysAll ? 0 : matches);
    }
  });
});

describe("the checks above fail", () => {
  const [firstList] = projectLists as [(typeof projectLists)[number]];
  const byHelpful = feedbackFilter({ sort: "helpful", status: undefined, testerId: undefined });

  test("when the index of a list is missing", async () => {
    const filter = projectFilter({ ...firstList, category: "web" });
    const explained = (hint?: FindOptions["hint"]) =>
      explain("projects", projectQuery(filter), { sort: projectOrder, ...(hint && { hint }) });
    await database.projects.dropIndex("audience_1_category_1_createdAt_-1__id_-1");
    await expect(explained(projectIndex(filter))).rejects.toThrow("hint");
    expect(faultsOf(await explained())).not.toEqual([]);
    await makeIndexes(database);
    expect(faultsOf(await explained(projectIndex(filter)))).toEqual([]);
  });

  test("when no index has the order", async () => {
    const explained = () => explain("feedback", feedbackQuery(byHelpful), { sort: feedbackOrders.helpful });
    await database.feedback.dropIndex("projectId_1_bucket_1_helpfulCount_-1_createdAt_-1__id_-1");
    expect(faultsOf(await explained())).toContain("sorts in memory");
    await makeIndexes(database);
    expect(faultsOf(await explained())).toEqual([]);
  });

  test("when no index has the field", async () => {
    const plan = await explain("projects", { title: "Nothing" }, { sort: projectOrder });
    expect(faultsOf(plan)).toContain("scans the collection");
  });
});
