import {
  array,
  assertNoFaults,
  assertSuccess,
  equal,
  faults,
  identifier,
  integer,
  isRecord,
  type Json,
  oneOf,
  record,
  requireSuccess,
  string,
  succeeded,
  timestamp,
} from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { NotTestable, Unmet, Violation } from "../engine/outcome.ts";
import { marking, replying } from "../evidence/developers-only.ts";
import {
  byDeveloper,
  elsewhere,
  firstDetail,
  firstFeedback,
  firstSubmission,
  four,
  secondFeedback,
} from "../evidence/feedback.ts";
import { plainList } from "../evidence/feedback-lists.ts";
import { idOf, itemsOf } from "../evidence/lists.ts";
import { feedbackStatuses } from "../evidence/texts.ts";
import { stated } from "./declare.ts";
import { asSent } from "./project-records.ts";

const detailRules = {
  id: identifier,
  projectId: identifier,
  testerId: identifier,
  overallRating: integer,
  status: oneOf(...feedbackStatuses),
  createdAt: timestamp,
  uiFeedback: record,
  uxFeedback: record,
  bugs: array,
};
const uiRules = { design: integer, colors: string, typography: string, layout: string };
const uxRules = { navigation: integer, flow: string, usability: string, suggestions: string };

const fieldsOf = (value: unknown): Json => (isRecord(value) ? value : {});
const bugsOf = ({ json }: Exchange): Json[] => {
  const { bugs } = fieldsOf(json);
  return Array.isArray(bugs) ? bugs.filter(isRecord) : [];
};

/** The details of the first project's and the second project's feedback, with what was sent. */
const readings = [firstDetail, firstFeedback, firstSubmission, marking, elsewhere, secondFeedback] as const;

export const feedbackRecords = [
  stated({
    id: "feedback.create-answer",
    title:
      "POST /projects/{projectId}/feedback takes every stated field as JSON and answers the record: its id, the status `submitted` and more.",
    clauses: ["S-FB-CREATE-1", "S-BASE-1", "S-BASE-3"],
    needs: [firstSubmission],
    async prove(context) {
      const { sent, answer } = await context.use(firstSubmission);
      assertSuccess(answer);
      const whereShown = asSent(sent, ["overallRating", "generalComments"]);
      assertNoFaults(answer, faults(answer.json, { id: identifier, status: equal("submitted") }, { whereShown }));
      if (Object.keys(fieldsOf(answer.json)).length < 3) {
        throw new Violation("The created record has no field beside id and status.", {
          expected: "further fields",
          seen: answer.json,
          exchange: answer,
        });
      }
    },
  }),
  stated({
    id: "feedback.detail",
    title: "GET /feedback/{id} answers the detail: the list's fields, uiFeedback, uxFeedback and bugs.",
    clauses: ["S-FB-GET-1", "S-BASE-1"],
    needs: [...readings],
    async prove(context) {
      const second = await context.use(secondFeedback);
      for (const [id, detail] of [
        [(await context.use(firstFeedback)).id, await context.use(firstDetail)],
        [second.id, (await context.use(marking)).before],
      ] as const) {
        assertSuccess(detail);
        assertNoFaults(detail, faults(detail.json, detailRules));
        const found = fieldsOf(detail.json);
        assertNoFaults(detail, [
          ...faults(found.uiFeedback, uiRules, { at: "uiFeedback" }),
          ...faults(found.uxFeedback, uxRules, { at: "uxFeedback" }),
        ]);
        if (found.id !== id)
          throw new Violation("Other feedback's detail was answered.", {
            expected: id,
            seen: found.id,
            exchange: detail,
          });
      }
    },
  }),
  stated({
    id: "feedback.not-stored-as-draft",
    title: "Submitted feedback does not read back as a draft.",
    clauses: ["S-FB-CREATE-1"],
    needs: [firstDetail, firstFeedback],
    async prove(context) {
      const detail = await context.use(firstDetail);
      requireSuccess(detail, "Reading the feedback");
      if (fieldsOf(detail.json).status === "draft") {
        throw new Violation("Submitted feedback reads back as a draft.", {
          expected: "submitted",
          seen: "draft",
          exchange: detail,
        });
      }
    },
  }),
  stated({
    id: "feedback.severities",
    title: "Bugs of the severities high and medium are accepted.",
    clauses: ["S-FB-CREATE-2"],
    needs: [firstSubmission, elsewhere],
    async prove(context) {
      const answers = [(await context.use(firstSubmission)).answer, (await context.use(elsewhere)).submission.answer];
      // Where both are refused, it is not for their severity.
      if (!answers.some(succeeded)) throw new Unmet("No feedback could be submitted.", answers[0]);
      for (const answer of answers) assertSuccess(answer);
    },
  }),
  stated({
    id: "feedback.bug-ids",
    title: "Every bug that is returned has an id of its own, the same at each reading.",
    clauses: ["S-FB-CREATE-2"],
    needs: [...readings],
    async prove(context) {
      const { before, afterStrangers } = await context.use(marking);
      const details = [await context.use(firstDetail), before];
      for (const detail of details) {
        requireSuccess(detail, "Reading the feedback");
        const bugs = bugsOf(detail);
        if (bugs.length === 0) throw new Unmet(`${summary(detail)} shows no bugs.`, detail);
        assertNoFaults(
          detail,
          bugs.flatMap((bug, n) => faults(bug, { id: identifier }, { at: `bugs[${n}]` })),
        );
      }
      const ids = details.flatMap((detail) => bugsOf(detail).map(idOf));
      if (new Set(ids).size < ids.length)
        throw new Violation("Two bugs have the same id.", { expected: "an id for each", seen: ids });
      const [once, again] = [bugsOf(before).map(idOf).sort(), bugsOf(afterStrangers).map(idOf).sort()];
      if (succeeded(afterStrangers) && once.join() !== again.join()) {
        throw new Violation("The ids of bugs change from reading to reading.", {
          expected: once,
          seen: again,
          exchange: afterStrangers,
        });
      }
    },
  }),
  stated({
    id: "feedback.read-back",
    title: "Feedback reads back as it was sent: ratings, texts and bugs.",
    clauses: ["S-FB-CREATE-3"],
    needs: [...readings],
    async prove(context) {
      const pairs = [
        [await context.use(firstDetail), (await context.use(firstSubmission)).sent],
        [(await context.use(marking)).before, (await context.use(elsewhere)).submission.sent],
      ] as const;
      for (const [detail, sent] of pairs) {
        requireSuccess(detail, "Reading the feedback");
        const found = fieldsOf(detail.json);
        assertNoFaults(
          detail,
          faults(found, asSent(sent, ["overallRating"]), { whereShown: asSent(sent, ["generalComments"]) }),
        );
        for (const part of ["uiFeedback", "uxFeedback"]) {
          const told = fieldsOf(sent[part]);
          assertNoFaults(detail, faults(found[part], asSent(told, Object.keys(told)), { at: part }));
        }
        const bugs = Array.isArray(sent.bugs) ? sent.bugs.map(fieldsOf) : [];
        if (bugsOf(detail).length !== bugs.length) {
          throw new Violation("Feedback does not read back with the bugs it was sent with.", {
            expected: bugs,
            seen: found.bugs,
            exchange: detail,
          });
        }
        for (const bug of bugs) {
          const same = bugsOf(detail).find(({ description }) => description === bug.description);
          const rules = asSent(bug, ["description", "severity", "screenshot"]);
          assertNoFaults(
            detail,
            faults(same ?? {}, rules, {
              at: `the bug "${bug.description}"`,
              whereShown: asSent(bug, ["stepsToReproduce"]),
            }),
          );
        }
      }
    },
  }),
  stated({
    id: "feedback.project",
    title: "Feedback belongs to the project it was sent to.",
    clauses: ["S-FB-CREATE-3"],
    needs: [...readings],
    async prove(context) {
      const pairs = [
        [await context.use(firstDetail), (await context.use(firstSubmission)).project.id],
        [(await context.use(marking)).before, (await context.use(elsewhere)).project.id],
      ] as const;
      for (const [detail, expected] of pairs) {
        requireSuccess(detail, "Reading the feedback");
        const seen = fieldsOf(detail.json).projectId;
        if (String(seen) !== expected)
          throw new Violation("Feedback belongs to another project.", { expected, seen, exchange: detail });
      }
    },
  }),
  stated({
    id: "feedback.author",
    title: "Feedback's testerId is the same for one key's feedback and another for another key's.",
    clauses: ["S-FB-CREATE-3"],
    needs: [...readings, plainList, four, byDeveloper],
    async prove(context) {
      const { testerId } = context.options;
      const authors = [await context.use(firstDetail), (await context.use(marking)).before].map((detail) => {
        requireSuccess(detail, "Reading the feedback");
        return fieldsOf(detail.json).testerId;
      });
      const list = await context.use(plainList);
      const listed = new Map(itemsOf(list).map((item) => [idOf(item), item.testerId]));
      const own = [
        ...authors,
        ...(await context.use(four)).flatMap(({ id }) => (listed.get(id) === undefined ? [] : [listed.get(id)])),
      ];
      const expected = testerId ?? authors[0];
      if (own.some((author) => author !== expected))
        throw new Violation("One key's feedback has several authors, or the wrong one.", {
          expected,
          seen: own,
          exchange: list,
        });
      const other = await context.use(byDeveloper);
      const author = listed.get(idOf(fieldsOf(other.answer.json)));
      if (succeeded(other.answer) && author !== undefined && author === expected) {
        throw new Violation("Two accounts' feedback has the same author.", {
          expected: "two authors",
          seen: author,
          exchange: list,
        });
      }
    },
  }),
  stated({
    id: "feedback.reply-resolves",
    title: "A reply names a bug of the feedback as resolved.",
    clauses: ["S-FB-REPLY-1"],
    needs: [replying],
    async prove(context) {
      const { sent, byDeveloper } = await context.use(replying);
      requireSuccess(byDeveloper, "Replying");
      const items = sent?.resolvedItems;
      if (!Array.isArray(items) || items.length === 0) throw new NotTestable("a bug with an id to name");
      const seen = fieldsOf(fieldsOf(byDeveloper.json).developerResponse).resolvedItems;
      const same = Array.isArray(seen) && seen.map(String).toSorted().join() === items.map(String).toSorted().join();
      if (!same)
        throw new Violation("The reply does not name the bugs it was sent with.", {
          expected: items,
          seen,
          exchange: byDeveloper,
        });
    },
  }),
];
