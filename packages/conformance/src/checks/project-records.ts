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
  instant,
  integer,
  isRecord,
  type Json,
  oneOf,
  present,
  record,
  requireSuccess,
  string,
  succeeded,
  timestamp,
} from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { NotApplicable, Unmet, Violation } from "../engine/outcome.ts";
import { listViews } from "../evidence/list-views.ts";
import { fieldsOf, idsOf, isProjectList, itemsOf, queryOf } from "../evidence/lists.ts";
import { deletion, laterDetails, projectChanges, settledChange, survivors } from "../evidence/project-changes.ts";
import {
  type Created,
  creations,
  details,
  detailsByTester,
  ourItems,
  ours,
  projectFor,
  projects,
} from "../evidence/projects.ts";
import { Records } from "../evidence/records.ts";
import { categories, projectFields, projectStatuses } from "../evidence/vocabulary.ts";
import { asSent, assertStatusKept } from "./comparisons.ts";
import { stated } from "./declare.ts";
import { assertNoneLacking, isCertain } from "./list-rules.ts";
import { expectedProjects } from "./project-expectations.ts";

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

function assertDetail(detail: Exchange, id: string): void {
  assertSuccess(detail);
  assertNoFaults(detail, faults(detail.json, detailRules));
  const found = fieldsOf(detail.json);
  assertNoFaults(detail, faults(found.stats, statsRules, { at: "stats" }));
  if (String(found.id) !== id)
    throw new Violation(`${summary(detail)}: the detail is of another project.`, {
      expected: id,
      seen: found.id,
      exchange: detail,
    });
}

/** @throws Violation where a detail shows another value than was sent */
function assertAsSent(detail: Exchange, sent: Json): void {
  const { testingRequirements, ...rest } = sent;
  assertNoFaults(detail, faults(detail.json, asSent(rest, sentFields), { whereShown: asSent(rest, ["isPublic"]) }));
  const shown = fieldsOf(detail.json).testingRequirements;
  if (!isRecord(shown) || !isRecord(testingRequirements)) return;
  const whereShown = asSent(testingRequirements, ["minTesters", "maxTesters", "feedbackTypes"]);
  assertNoFaults(detail, faults(shown, {}, { at: "testingRequirements", whereShown }));
}

const read = [...Object.values(details), projects, creations] as const;

export const projectRecords = [
  stated({
    id: "projects.create-answer",
    title: "POST /projects accepts every stated field as JSON and returns the created record with its id and title.",
    clauses: ["S-PROJ-CREATE-1", "S-BASE-1", "S-BASE-3"],
    needs: [creations],
    async prove(context) {
      const all = await context.use(creations);
      for (const { sent, answer } of all) {
        assertSuccess(answer);
        const rules = { id: present, title: equal(sent.title) };
        assertNoFaults(answer, faults(answer.json, rules, { whereShown: asSent(sent, sentFields) }));
      }
      const ids = all.map(({ answer }) => fieldsOf(answer.json).id);
      if (new Set(ids).size < ids.length)
        throw new Violation("Two created projects have the same id.", {
          expected: "an id for each",
          seen: ids,
          exchange: all.at(-1)?.answer,
        });
    },
  }),
  stated({
    id: "projects.detail",
    title:
      "GET /projects/{id} returns the detail of that project, with screenshots, projectUrl, updatedAt and stats of integers.",
    clauses: ["S-PROJ-GET-1", "S-BASE-1"],
    needs: [...read, laterDetails],
    async prove(context) {
      for (const part of ["main", "second", "deleted"] as const)
        assertDetail(await context.use(details[part]), (await projectFor(context, part)).id);
      const [later] = await context.use(laterDetails);
      if (later && context.options.project?.open === undefined)
        assertDetail(later, (await projectFor(context, "main")).id);
    },
  }),
  stated({
    id: "projects.detail-by-tester",
    title: "Where a tester can read a project, its detail is as whole as for its owner, also once it has feedback.",
    clauses: ["S-PROJ-GET-1"],
    needs: [...Object.values(detailsByTester), projects, creations, laterDetails],
    async prove(context) {
      let isReadable = false;
      const judge = async (detail: Exchange, part: "main" | "second") => {
        if (!succeeded(detail)) return;
        isReadable = true;
        assertDetail(detail, (await projectFor(context, part)).id);
      };
      for (const part of ["main", "second"] as const) await judge(await context.use(detailsByTester[part]), part);
      const [, later] = await context.use(laterDetails);
      if (later && context.options.project?.open === undefined) await judge(later, "main");
      if (!isReadable) throw new NotApplicable("The tester can read none of the developer's projects.");
    },
  }),
  stated({
    id: "projects.read-back",
    title: "A project reads back as it was sent, to its owner and to a tester who can read it.",
    clauses: ["S-PROJ-CREATE-2"],
    needs: [...read, ...Object.values(detailsByTester)],
    async prove(context) {
      for (const part of ["main", "second"] as const) {
        const { sent } = await projectFor(context, part);
        const detail = await context.use(details[part]);
        requireSuccess(detail, "Reading the project");
        assertAsSent(detail, sent);
        const byTester = await context.use(detailsByTester[part]);
        if (succeeded(byTester)) assertAsSent(byTester, sent);
      }
    },
  }),
  stated({
    id: "projects.unusual-texts",
    title: "Texts with quotes, tags, escapes, several lines or characters beyond the basic plane read back unchanged.",
    clauses: ["S-PROJ-CREATE-2"],
    needs: [...read],
    async prove(context) {
      const detail = await context.use(details.deleted);
      requireSuccess(detail, "Reading the project");
      assertAsSent(detail, (await projectFor(context, "deleted")).sent);
    },
  }),
  stated({
    id: "projects.list-and-detail",
    title: "A project has the same status in the list and in its detail, and the same instant in createdAt.",
    clauses: ["S-PROJ-LIST-1", "S-PROJ-GET-1"],
    needs: [...read, ours],
    phase: "end",
    async prove(context) {
      await ourItems(context);
      const known = new Map(Records.of(context.observed).projects.map((project) => [project.id, project]));
      for (const part of ["main", "second"] as const) {
        const { id } = await projectFor(context, part);
        requireSuccess(await context.use(details[part]), "Reading the project");
        const sightings = known.get(id)?.sightings ?? [];
        const inDetails = sightings.filter(({ inDetail, payer }) => inDetail && payer === "developer");
        const inLists = sightings.filter(({ inDetail }) => !inDetail);
        const createdAt = instant(inDetails[0]?.shown.createdAt);
        const list = await context.use(ours);
        // A list may tell the time to the second.
        const wrong = inLists.find(({ shown }) => Math.abs(instant(shown.createdAt) - createdAt) >= 1000);
        // A status may change by itself, but not to one that no detail ever shows while the list always does.
        const statuses = new Set(inDetails.map(({ shown }) => shown.status));
        const apart = inLists.length > 0 && inLists.every(({ shown }) => !statuses.has(shown.status));
        if (wrong || apart)
          throw new Violation("The list and the detail of a project differ.", {
            expected: inDetails[0]?.shown,
            seen: (wrong ?? inLists[0])?.shown,
            exchange: list,
          });
      }
    },
  }),
  stated({
    id: "projects.patch-answer",
    title: "PATCH /projects/{id} returns the updated record with its id and the changed field.",
    clauses: ["S-PROJ-PATCH-1", "S-BASE-1"],
    needs: [projectChanges],
    async prove(context) {
      const { project, usual, unusual } = await context.use(projectChanges);
      for (const { answer } of usual) assertSuccess(answer);
      for (const { sent, answer } of [...usual, ...unusual]) {
        if (!succeeded(answer)) continue;
        assertNoFaults(answer, faults(answer.json, { id: present, ...asSent(sent, Object.keys(sent)) }));
        const seen = fieldsOf(answer.json).id;
        if (String(seen) !== project.id)
          throw new Violation(`${summary(answer)}: the record is another one.`, {
            expected: project.id,
            seen,
            exchange: answer,
          });
      }
    },
  }),
  stated({
    id: "projects.patch-stored",
    title: "A title or a description that was changed reads back changed, and every other field as it was.",
    clauses: ["S-PROJ-PATCH-1"],
    needs: [projectChanges, settledChange],
    async prove(context) {
      const { untouched, usual, byTester } = await context.use(projectChanges);
      let before = untouched;
      requireSuccess(before, "Reading the project before the change");
      for (const { sent, answer, after } of usual) {
        requireSuccess(answer, "Changing the project");
        requireSuccess(after, "Reading the project after the change");
        assertUnchanged(after, before.json, sent, projectFields);
        await assertStatusKept(context, before, after, settledChange);
        before = after;
      }
      // The tester reads after all changes.
      const last = await context.use(projectChanges).then(({ unusual }) => unusual.at(-1)?.after ?? before);
      if (byTester && succeeded(byTester) && succeeded(last)) assertUnchanged(byTester, last.json, {}, projectFields);
    },
  }),
  stated({
    id: "projects.patch-unusual-texts",
    title: "Long texts and texts with quotes, tags, escapes or several lines that a PATCH accepts read back unchanged.",
    clauses: ["S-PROJ-PATCH-1"],
    needs: [projectChanges],
    async prove(context) {
      const { usual, unusual } = await context.use(projectChanges);
      let before = usual.at(-1)?.after;
      for (const { sent, answer, after } of unusual) {
        requireSuccess(after, "Reading the project after the change");
        if (before) assertUnchanged(after, before.json, succeeded(answer) ? sent : {}, projectFields);
        before = after;
      }
    },
  }),
  stated({
    id: "projects.patch-listed",
    title: "A changed project is listed and found by search as it is after the change.",
    clauses: ["S-PROJ-PATCH-1", "S-PROJ-LIST-1", "S-PROJ-LIST-5"],
    needs: [projectChanges, projects, creations, ours],
    phase: "end",
    async prove(context) {
      const { project, usual, lists, word } = await context.use(projectChanges);
      if (usual[0] && !usual.some(({ answer }) => succeeded(answer)))
        requireSuccess(usual[0].answer, "Changing the project");
      const changed = usual.findLast(({ answer }) => succeeded(answer))?.after;
      requireSuccess(changed ?? (await context.use(ours)), "Changing the project");
      for (const list of lists.filter(succeeded)) {
        const item = itemsOf(list).find(({ id }) => String(id) === project.id);
        const latest = latestDetail(context.observed, project, list.number);
        const rules = latest ? { title: equal(latest.title), description: equal(latest.description) } : {};
        if (item) assertNoFaults(list, faults(item, rules, { at: `the item of ${project.id}` }));
      }
      const numbers = new Set(lists.map(({ number }) => number));
      for (const expected of expectedProjects(context)) {
        const { view } = expected;
        if (numbers.has(view.list.number) && view.query.search === word && isCertain(expected))
          assertNoneLacking(expected, true);
      }
    },
  }),
  stated({
    id: "projects.patch-others",
    title: "Changing one project changes no other.",
    clauses: ["S-PROJ-PATCH-1"],
    needs: [projectChanges, details.main, projects, creations, ours],
    async prove(context) {
      const { project, usual, other, lists } = await context.use(projectChanges);
      const main = await context.use(details.main);
      for (const { answer } of usual) requireSuccess(answer, "Changing the project");
      if (other) {
        requireSuccess(main, "Reading another project before the change");
        assertSuccess(other);
        assertUnchanged(other, main.json, {}, projectFields);
      }
      const before = new Map([...(await ourItems(context))].filter(([id]) => id !== project.id));
      for (const list of lists.filter(succeeded)) {
        for (const item of itemsOf(list)) {
          const earlier = before.get(String(item.id));
          const names = ["title", "description", "category"];
          if (earlier) assertNoFaults(list, faults(item, asSent(earlier, names), { at: `the item of ${item.id}` }));
        }
      }
    },
  }),
  stated({
    id: "projects.delete-answer",
    title: "DELETE /projects/{id} returns `success`, true, and `message`, a string.",
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
    title: "A deleted project can be read no more, by its owner or by a tester.",
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
    title: "A deleted project is in no list any more, for no key and under no filter, and no total counts it.",
    clauses: ["S-PROJ-DELETE-1"],
    needs: [deletion, projects, creations],
    phase: "end",
    async prove(context) {
      const { project, answer, lists } = await context.use(deletion);
      requireSuccess(answer, "Deleting the project");
      const numbers = new Set(lists.map(({ number }) => number));
      for (const view of listViews(context.observed, "projects")) {
        if (view.list.number < answer.number || !numbers.has(view.list.number)) continue;
        if (view.ids.includes(project.id))
          throw new Violation(`${summary(view.list)} holds a deleted project.`, {
            expected: `no ${project.id}`,
            seen: view.ids,
            exchange: view.list,
          });
        const counted = view.page === 1 && view.items.length < view.perPage && view.total !== undefined;
        if (counted && view.total !== view.items.length && queryOf(view.list).has("search"))
          throw new Violation(`${summary(view.list)}: total counts a deleted project.`, {
            expected: view.items.length,
            seen: view.total,
            exchange: view.list,
          });
      }
    },
  }),
  stated({
    id: "projects.delete-others",
    title: "Deleting one project leaves the others, and the feedback on them.",
    clauses: ["S-PROJ-DELETE-1"],
    needs: [deletion, survivors, ours, projects],
    async prove(context) {
      const { project, answer, lists } = await context.use(deletion);
      requireSuccess(answer, "Deleting the project");
      const [list] = lists;
      const before = [...(await ourItems(context)).keys()].filter((id) => id !== project.id);
      const lacking = list && succeeded(list) ? before.filter((id) => !idsOf(list).includes(id)) : [];
      if (lacking.length > 0)
        throw new Violation("Deleting a project deleted others.", {
          expected: before,
          seen: list && idsOf(list),
          exchange: list,
        });
      for (const { before: earlier, after } of await context.use(survivors)) {
        if (!succeeded(earlier)) continue;
        assertSuccess(after);
        const { id } = fieldsOf(earlier.json);
        assertNoFaults(after, faults(after.json, { id: equal(id) }));
      }
    },
  }),
  stated({
    id: "projects.types",
    title:
      "Every project that is shown has a string as id, a stated category and status, and timestamps in ISO 8601 UTC.",
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
        const { data } = fieldsOf(exchange.json);
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

/** The detail that the owner read last before an exchange, or first after it, with no change between. */
function latestDetail(exchanges: readonly Exchange[], project: Created, number: number): Json | undefined {
  const record = Records.of(exchanges).projects.find(({ id }) => id === project.id);
  const own = (record?.sightings ?? []).filter(({ inDetail, payer }) => inDetail && payer === "developer");
  const last = own.findLast((one) => one.number < number);
  if (!last || record?.writes.some((write) => write > last.number && write < number)) return undefined;
  return last.shown;
}

function isProjectRecord({ method, target, json }: Exchange): boolean {
  if (!isRecord(json)) return false;
  return method === "POST" ? target === "/projects" : method !== "DELETE" && /^\/projects\/[^/?]+$/.test(target);
}
