import {
  array,
  assertNoFaults,
  assertSuccess,
  equal,
  faults,
  identifier,
  integer,
  type Json,
  oneOf,
  record,
  requireSuccess,
  string,
  succeeded,
  timestamp,
} from "../engine/assertions.ts";
import type { Context, Evidence } from "../engine/check.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Unmet, Violation } from "../engine/outcome.ts";
import { marking } from "../evidence/developer-actions.ts";
import {
  detailByAuthor,
  detailByOwner,
  developersSubmission,
  firstDetail,
  firstDetailNeeds,
  firstFeedback,
  firstSubmission,
  secondFeedback,
  secondSubmission,
  submissions,
  unusualDetails,
} from "../evidence/feedback.ts";
import { feedbackLists } from "../evidence/feedback-lists.ts";
import { fieldsOf, idOf, itemsOf } from "../evidence/lists.ts";
import { feedbackStatuses } from "../evidence/vocabulary.ts";
import { asSent } from "./comparisons.ts";
import { stated } from "./declare.ts";

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

const recordsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const bugsOf = ({ json }: Exchange): Json[] => recordsOf(fieldsOf(json).bugs);

/** The details of the first project's and the second project's feedback, with what was sent. */
const readings: readonly Evidence<unknown>[] = [
  ...firstDetailNeeds,
  firstFeedback,
  firstSubmission,
  marking,
  secondSubmission,
  secondFeedback,
];

function assertDetail(detail: Exchange, id: string): void {
  assertSuccess(detail);
  assertNoFaults(detail, faults(detail.json, detailRules));
  const found = fieldsOf(detail.json);
  assertNoFaults(detail, [
    ...faults(found.uiFeedback, uiRules, { at: "uiFeedback" }),
    ...faults(found.uxFeedback, uxRules, { at: "uxFeedback" }),
  ]);
  if (found.id !== id)
    throw new Violation(`${summary(detail)}: the detail is of other feedback.`, {
      expected: id,
      seen: found.id,
      exchange: detail,
    });
}

/** @throws Violation where feedback reads back with another rating, text or bug than was sent */
function assertAsSent(detail: Exchange, sent: Json): void {
  const found = fieldsOf(detail.json);
  const shown = { whereShown: asSent(sent, ["generalComments"]) };
  assertNoFaults(detail, faults(found, asSent(sent, ["overallRating"]), shown));
  for (const part of ["uiFeedback", "uxFeedback"]) {
    const told = fieldsOf(sent[part]);
    assertNoFaults(detail, faults(found[part], asSent(told, Object.keys(told)), { at: part }));
  }
  const bugs = recordsOf(sent.bugs);
  if (bugsOf(detail).length !== bugs.length)
    throw new Violation("Feedback does not read back with the bugs it was sent with.", {
      expected: bugs,
      seen: found.bugs,
      exchange: detail,
    });
  for (const [n, bug] of bugs.entries()) {
    const rules = asSent(bug, ["description", "severity", "screenshot"]);
    const whereShown = asSent(bug, ["stepsToReproduce"]);
    assertNoFaults(detail, faults(bugsOf(detail)[n], rules, { at: `bugs[${n}]`, whereShown }));
  }
}

/** The first feedback by each key that can read it, and the second feedback. */
async function detailsOf(context: Context): Promise<{ detail: Exchange; id: string; sent: Json; projectId: string }[]> {
  const first = await context.use(firstFeedback);
  const second = await context.use(secondFeedback);
  const { projectId, submission } = await context.use(secondSubmission);
  return [
    { ...first, detail: await firstDetail(context) },
    { id: second.id, detail: (await context.use(marking)).before, sent: submission.sent, projectId },
  ];
}

export const feedbackRecords = [
  stated({
    id: "feedback.create-answer",
    title:
      "POST /projects/{projectId}/feedback accepts every stated field as JSON and returns the record: its id, the status `submitted` and more.",
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
    id: "feedback.create-repeated",
    title: "Every further submission is accepted and answered in the same way, on any project.",
    clauses: ["S-FB-CREATE-1"],
    needs: [submissions, secondSubmission, firstSubmission],
    async prove(context) {
      requireSuccess((await context.use(firstSubmission)).answer, "Submitting the first feedback");
      const { usual, unusual } = await context.use(submissions);
      const { submission } = await context.use(secondSubmission);
      const accepted = unusual.filter(({ answer }) => succeeded(answer));
      for (const { sent, answer } of [...usual, submission, ...accepted]) {
        assertSuccess(answer);
        const whereShown = asSent(sent, ["overallRating", "generalComments"]);
        assertNoFaults(answer, faults(answer.json, { id: identifier, status: equal("submitted") }, { whereShown }));
      }
      const ids = [...usual, submission].map(({ answer }) => String(fieldsOf(answer.json).id));
      if (new Set(ids).size < ids.length)
        throw new Violation("Two submissions have the same id.", {
          expected: "an id for each",
          seen: ids,
          exchange: submission.answer,
        });
    },
  }),
  stated({
    id: "feedback.detail",
    title: "GET /feedback/{id} returns the detail: the fields of the list, uiFeedback, uxFeedback and bugs.",
    clauses: ["S-FB-GET-1", "S-BASE-1"],
    needs: readings,
    async prove(context) {
      assertDetail(await firstDetail(context), (await context.use(firstFeedback)).id);
      for (const { detail, id } of await detailsOf(context)) assertDetail(detail, id);
    },
  }),
  stated({
    id: "feedback.detail-by-owner",
    title: "The owner of the project reads its feedback, and sees the same as its author.",
    clauses: ["S-FB-GET-1", "S-FB-CREATE-3"],
    needs: [detailByOwner, detailByAuthor, firstFeedback, firstSubmission],
    async prove(context) {
      const { id, sent } = await context.use(firstFeedback);
      const detail = await context.use(detailByOwner);
      assertDetail(detail, id);
      assertAsSent(detail, sent);
      const byAuthor = await context.use(detailByAuthor);
      if (succeeded(byAuthor)) assertDetail(byAuthor, id);
    },
  }),
  stated({
    id: "feedback.not-stored-as-draft",
    title: "Submitted feedback does not read back as a draft.",
    clauses: ["S-FB-CREATE-1"],
    needs: [...firstDetailNeeds, firstFeedback],
    async prove(context) {
      const detail = await firstDetail(context);
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
    needs: [firstSubmission, secondSubmission],
    async prove(context) {
      const answers = [
        (await context.use(firstSubmission)).answer,
        (await context.use(secondSubmission)).submission.answer,
      ];
      // Where both are refused, it is not for their severity.
      if (!answers.some(succeeded))
        throw new Unmet(`No feedback could be submitted: ${answers[0] && summary(answers[0])}.`, answers[0]);
      for (const answer of answers) assertSuccess(answer);
    },
  }),
  stated({
    id: "feedback.bug-ids",
    title: "Every bug that is returned has an id, unique in its feedback and the same at each reading.",
    clauses: ["S-FB-CREATE-2"],
    needs: readings,
    async prove(context) {
      const { before, afterWithoutKey } = await context.use(marking);
      for (const detail of [await firstDetail(context), before]) {
        requireSuccess(detail, "Reading the feedback");
        const bugs = bugsOf(detail);
        if (bugs.length === 0) throw new Unmet(`${summary(detail)} shows no bugs.`, detail);
        assertNoFaults(
          detail,
          bugs.flatMap((bug, n) => faults(bug, { id: identifier }, { at: `bugs[${n}]` })),
        );
        const ids = bugs.map(idOf);
        if (new Set(ids).size < ids.length)
          throw new Violation("Two bugs have the same id.", {
            expected: "an id for each",
            seen: ids,
            exchange: detail,
          });
      }
      const [once, again] = [bugsOf(before).map(idOf).sort(), bugsOf(afterWithoutKey).map(idOf).sort()];
      if (succeeded(afterWithoutKey) && once.join() !== again.join()) {
        throw new Violation("The ids of bugs change from reading to reading.", {
          expected: once,
          seen: again,
          exchange: afterWithoutKey,
        });
      }
    },
  }),
  stated({
    id: "feedback.read-back",
    title: "Feedback reads back as it was sent: ratings, texts, and bugs in their order.",
    clauses: ["S-FB-CREATE-3"],
    needs: readings,
    async prove(context) {
      for (const { detail, sent } of await detailsOf(context)) {
        requireSuccess(detail, "Reading the feedback");
        assertAsSent(detail, sent);
      }
    },
  }),
  stated({
    id: "feedback.unusual-texts",
    title:
      "Other ratings, long texts, and texts with quotes, tags, escapes or several lines that are accepted read back unchanged.",
    clauses: ["S-FB-CREATE-3"],
    needs: [unusualDetails, submissions],
    async prove(context) {
      await context.use(submissions);
      for (const { sent, detail } of await context.use(unusualDetails)) {
        requireSuccess(detail, "Reading the feedback");
        assertAsSent(detail, sent);
      }
    },
  }),
  stated({
    id: "feedback.project",
    title: "Feedback belongs to the project it was sent to.",
    clauses: ["S-FB-CREATE-3"],
    needs: readings,
    async prove(context) {
      for (const { detail, projectId } of await detailsOf(context)) {
        requireSuccess(detail, "Reading the feedback");
        const seen = fieldsOf(detail.json).projectId;
        if (String(seen) !== projectId)
          throw new Violation("Feedback belongs to another project.", { expected: projectId, seen, exchange: detail });
      }
    },
  }),
  stated({
    id: "feedback.author",
    title: "The testerId of feedback is the same for all feedback of one key, and another for that of another key.",
    clauses: ["S-FB-CREATE-3"],
    needs: [...readings, feedbackLists, submissions, developersSubmission],
    async prove(context) {
      const { testerId } = context.options;
      const authors = (await detailsOf(context)).map(({ detail }) => {
        requireSuccess(detail, "Reading the feedback");
        return fieldsOf(detail.json).testerId;
      });
      const lists = await context.use(feedbackLists);
      const plain = [...lists.tester, ...lists.developer].filter(succeeded);
      const listed = new Map(plain.flatMap((list) => itemsOf(list).map((item) => [idOf(item), item.testerId])));
      const { usual } = await context.use(submissions);
      const answered = usual.flatMap(({ answer }) => fieldsOf(answer.json).testerId ?? []);
      const own = [...authors, ...answered, ...usual.flatMap(({ id }) => listed.get(id) ?? [])];
      const expected = testerId ?? authors[0];
      if (own.some((author) => author !== expected))
        throw new Violation("Feedback of one key has several authors, or the wrong one.", {
          expected,
          seen: own,
          exchange: plain[0],
        });
      const other = await context.use(developersSubmission);
      const author = listed.get(idOf(fieldsOf(other.answer.json)));
      if (succeeded(other.answer) && author !== undefined && author === expected) {
        throw new Violation("Feedback of two accounts has the same author.", {
          expected: "two authors",
          seen: author,
          exchange: plain[0],
        });
      }
    },
  }),
];
