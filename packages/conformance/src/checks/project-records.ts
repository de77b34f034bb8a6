import {
  array,
  assertNoFaults,
  assertRefused,
  assertSuccess,
  assertUnchanged,
  boolean,
  equal,
  faults,
  identifier,
  integer,
  isRecord,
  oneOf,
  present,
  type Rule,
  record,
  requireSuccess,
  string,
  succeeded,
  timestamp,
} from "../engine/assertions.ts";
import { summary } from "../engine/exchange.ts";
import { Unmet, Violation } from "../engine/outcome.ts";
import { idsOf, isProjectList } from "../evidence/lists.ts";
import { deletion, patches } from "../evidence/project-changes.ts";
import { creations, details, ourItems, ours, projectAt, projects } from "../evidence/projects.ts";
import { categories, projectFields, projectStatuses } from "../evidence/texts.ts";
import { stated } from "./declare.ts";

/** Rules that a record's fields equal what was sent. */
export const asSent = (sent: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, Rule> =>
  Object.fromEntries(names.map((name) => [name, equal(sent[name])]));

const detailRules = {
  id: present,
  title: string,
  description: string,
  category: string,
  status: string,
  createdAt: string,
  screenshots: array,
  projectUrl: string,
  updatedAt: string,
  stats: record,
};
const statsRules = { views: integer, testerRequests: integer, approvedTesters: integer, feedbackCount: integer };
const sentFields = ["title", "description", "category", "screenshots", "projectUrl"];

export const projectRecords = [
  stated({
    id: "projects.create-answer",
    title: "POST /projects takes every stated field as JSON and answers the created record with its id and title.",
    clauses: ["S-PROJ-CREATE-1", "S-BASE-1", "S-BASE-3"],
    needs: [creations],
    async prove(context) {
      for (const { sent, answer } of await context.use(creations)) {
        assertSuccess(answer);
        const rules = { id: present, title: equal(sent.title) };
        assertNoFaults(answer, faults(answer.json, rules, { whereShown: asSent(sent, sentFields) }));
      }
      const ids = (await context.use(creations)).map(({ answer }) => isRecord(answer.json) && answer.json.id);
      if (new Set(ids).size < ids.length)
        throw new Violation("Two created projects have the same id.", { expected: "four ids", seen: ids });
    },
  }),
  stated({
    id: "projects.detail",
    title:
      "GET /projects/{id} answers that project's detail, with screenshots, projectUrl, updatedAt and stats of integers.",
    clauses: ["S-PROJ-GET-1", "S-BASE-1"],
    needs: [...details, projects, creations],
    async prove(context) {
      for (const turn of [0, 1] as const) {
        const detail = await context.use(details[turn]);
        assertSuccess(detail);
        assertNoFaults(detail, faults(detail.json, detailRules));
        const found = isRecord(detail.json) ? detail.json : {};
        assertNoFaults(detail, faults(found.stats, statsRules, { at: "stats" }));
        const { id } = await projectAt(context, turn);
        if (String(found.id) !== id)
          throw new Violation("Another project's detail was answered.", {
            expected: id,
            seen: found.id,
            exchange: detail,
          });
      }
    },
  }),
  stated({
    id: "projects.read-back",
    title: "A project reads back as it was sent.",
    clauses: ["S-PROJ-CREATE-2"],
    needs: [...details, projects, creations],
    async prove(context) {
      for (const turn of [0, 1] as const) {
        const detail = await context.use(details[turn]);
        const { sent } = await projectAt(context, turn);
        requireSuccess(detail, "Reading the project");
        const { testingRequirements, ...rest } = sent;
        assertNoFaults(
          detail,
          faults(detail.json, asSent(rest, sentFields), { whereShown: asSent(rest, ["isPublic"]) }),
        );
        const shown = isRecord(detail.json) ? detail.json.testingRequirements : undefined;
        if (!isRecord(shown) || !isRecord(testingRequirements)) continue;
        const whereShown = asSent(testingRequirements, ["minTesters", "maxTesters", "feedbackTypes"]);
        assertNoFaults(detail, faults(shown, {}, { at: "testingRequirements", whereShown }));
      }
    },
  }),
  stated({
    id: "projects.list-and-detail",
    title: "A project's status is the same in the list and in its detail, and createdAt the same instant.",
    clauses: ["S-PROJ-LIST-1", "S-PROJ-GET-1"],
    needs: [...details, ours, projects, creations],
    async prove(context) {
      const items = await ourItems(context);
      for (const turn of [0, 1] as const) {
        const detail = await context.use(details[turn]);
        requireSuccess(detail, "Reading the project");
        const item = items.get((await projectAt(context, turn)).id) ?? {};
        const found = isRecord(detail.json) ? detail.json : {};
        const [listed, read] = [Date.parse(String(item.createdAt)), Date.parse(String(found.createdAt))];
        // A list may tell the time to the second.
        const apart = Math.abs(listed - read) >= 1000;
        if (item.status !== found.status || apart) {
          throw new Violation(`${summary(detail)} and the list tell different things of one project.`, {
            expected: item,
            seen: { status: found.status, createdAt: found.createdAt },
            exchange: detail,
          });
        }
      }
    },
  }),
  stated({
    id: "projects.patch-answer",
    title: "PATCH /projects/{id} answers the updated record with its id and the changed field.",
    clauses: ["S-PROJ-PATCH-1", "S-BASE-1"],
    needs: [patches],
    async prove(context) {
      const { project, title, description } = await context.use(patches);
      for (const { sent, answer } of [title, description]) {
        assertSuccess(answer);
        assertNoFaults(answer, faults(answer.json, { id: present, ...asSent(sent, Object.keys(sent)) }));
        const seen = isRecord(answer.json) ? answer.json.id : undefined;
        if (String(seen) !== project.id)
          throw new Violation("PATCH answered another record.", { expected: project.id, seen, exchange: answer });
      }
    },
  }),
  stated({
    id: "projects.patch-stored",
    title: "A title or a description that was changed reads back changed, and every other field as it was.",
    clauses: ["S-PROJ-PATCH-1"],
    needs: [patches],
    async prove(context) {
      const { untouched, title, description } = await context.use(patches);
      requireSuccess(untouched, "Reading the project before the change");
      requireSuccess(title.answer, "Changing the title");
      requireSuccess(title.after, "Reading the project after the change");
      assertUnchanged(title.after, untouched.json, title.sent, projectFields);
      requireSuccess(description.answer, "Changing the description");
      requireSuccess(description.after, "Reading the project after the change");
      assertUnchanged(description.after, title.after.json, description.sent, projectFields);
    },
  }),
  stated({
    id: "projects.delete-answer",
    title: "DELETE /projects/{id} answers `success`, true, and `message`, a string.",
    clauses: ["S-PROJ-DELETE-1", "S-BASE-1"],
    needs: [deletion],
    async prove(context) {
      const { before, answer } = await context.use(deletion);
      requireSuccess(before, "Reading the project before its deletion");
      assertSuccess(answer);
      assertNoFaults(answer, faults(answer.json, { success: boolean, message: string }));
      assertNoFaults(answer, faults(answer.json, { success: equal(true) }));
    },
  }),
  stated({
    id: "projects.deleted-unread",
    title: "A deleted project, which could be read before, can be read no more, by its owner or by a tester.",
    clauses: ["S-PROJ-DELETE-1"],
    needs: [deletion],
    async prove(context) {
      const { before, answer, readAgain, readByTester } = await context.use(deletion);
      requireSuccess(before, "The control, reading the project before its deletion,");
      requireSuccess(answer, "Deleting the project");
      assertRefused(readAgain, "the project was deleted");
      assertRefused(readByTester, "the project was deleted");
    },
  }),
  stated({
    id: "projects.deleted-unlisted",
    title: "A deleted project, which was listed before, is in no list any more.",
    clauses: ["S-PROJ-DELETE-1"],
    needs: [deletion, ours, projects],
    async prove(context) {
      const { project, answer, listed, listedByCategory } = await context.use(deletion);
      requireSuccess(answer, "Deleting the project");
      if (!(await ourItems(context)).has(project.id))
        throw new Unmet("The project was not listed before its deletion.");
      for (const list of [listed, listedByCategory]) {
        if (!idsOf(list).includes(project.id)) continue;
        throw new Violation(`${summary(list)} holds a deleted project.`, {
          expected: `no ${project.id}`,
          seen: idsOf(list),
          exchange: list,
        });
      }
    },
  }),
  stated({
    id: "projects.types",
    title:
      "Every project that is shown has a string for an id, a stated category and status, and timestamps in ISO 8601 UTC.",
    clauses: ["S-PROJ-TYPE-1"],
    needs: [creations],
    phase: "end",
    prove({ exchanges }) {
      const whereShown = {
        id: identifier,
        category: oneOf(...categories),
        status: oneOf(...projectStatuses),
        createdAt: timestamp,
        updatedAt: timestamp,
      };
      let shown = 0;
      for (const exchange of exchanges.filter(succeeded)) {
        const data = isRecord(exchange.json) ? exchange.json.data : undefined;
        const records =
          isProjectList(exchange) && Array.isArray(data) ? data : isProjectRecord(exchange) ? [exchange.json] : [];
        shown += records.length;
        assertNoFaults(
          exchange,
          records.filter(isRecord).flatMap((item) => faults(item, {}, { at: `project ${item.id}`, whereShown })),
        );
      }
      if (shown === 0) throw new Unmet("No project was shown.");
    },
  }),
];

function isProjectRecord({ method, target, json }: { method: string; target: string; json: unknown }): boolean {
  if (!isRecord(json)) return false;
  return method === "POST" ? target === "/projects" : method !== "DELETE" && /^\/projects\/[^/?]+$/.test(target);
}
