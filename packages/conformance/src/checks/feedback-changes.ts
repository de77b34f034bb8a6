import {
  assertNoFaults,
  assertRefused,
  assertSuccess,
  assertUnchanged,
  equal,
  faults,
  isRecord,
  type Json,
  requireSuccess,
} from "../engine/assertions.ts";
import type { Exchange } from "../engine/exchange.ts";
import { Unmet } from "../engine/outcome.ts";
import { attempts, draftChanges } from "../evidence/feedback-changes.ts";
import { feedbackFields } from "../evidence/texts.ts";
import { stated } from "./declare.ts";
import { asSent } from "./project-records.ts";

const fieldsOf = (value: unknown): Json => (isRecord(value) ? value : {});

export const feedbackChanges = [
  stated({
    id: "feedback.draft-rule",
    title: "Submitted feedback cannot be changed by its author: the attempt is refused and the record stays as it was.",
    clauses: ["S-FB-PATCH-2", "S-BASE-1"],
    needs: [attempts],
    async prove(context) {
      const { untouched, byAuthor } = await context.use(attempts);
      let before = pastDraft(untouched);
      for (const { answer, after } of byAuthor) {
        assertRefused(answer, "the feedback is no draft");
        requireSuccess(after, "Reading the feedback again");
        assertUnchanged(after, before.json, {}, feedbackFields);
        before = after;
      }
    },
  }),
  stated({
    id: "feedback.draft-rule-control",
    title: "The change that is refused on submitted feedback is made on a draft.",
    clauses: ["S-FB-PATCH-1", "S-FB-PATCH-2"],
    needs: [draftChanges],
    async prove(context) {
      for (const { answer } of (await context.use(draftChanges)).changes.slice(0, 1)) assertSuccess(answer);
    },
  }),
  stated({
    id: "feedback.draft-rule-developer",
    title: "Submitted feedback cannot be changed by a developer either.",
    clauses: ["S-FB-PATCH-2"],
    needs: [attempts],
    async prove(context) {
      const { byAuthor, byDeveloper } = await context.use(attempts);
      const before = pastDraft(byAuthor.at(-1)?.after);
      assertRefused(byDeveloper.answer, "the feedback is no draft");
      requireSuccess(byDeveloper.after, "Reading the feedback again");
      assertUnchanged(byDeveloper.after, before.json, {}, feedbackFields);
    },
  }),
  stated({
    id: "feedback.patch-answer",
    title: "PATCH of a draft answers the updated record with its id and overallRating.",
    clauses: ["S-FB-PATCH-1", "S-BASE-1"],
    needs: [draftChanges],
    async prove(context) {
      const { before, changes } = await context.use(draftChanges);
      let rating = fieldsOf(before.json).overallRating;
      const { id } = fieldsOf(before.json);
      for (const { sent, answer } of changes) {
        assertSuccess(answer);
        rating = sent.overallRating ?? rating;
        assertNoFaults(
          answer,
          faults(
            answer.json,
            { id: equal(id), overallRating: equal(rating) },
            { whereShown: asSent(sent, Object.keys(sent)) },
          ),
        );
      }
    },
  }),
  stated({
    id: "feedback.patch-stored",
    title: "What was changed in a draft reads back changed, everything else as it was, and it stays a draft.",
    clauses: ["S-FB-PATCH-1"],
    needs: [draftChanges],
    async prove(context) {
      const { untouched, changes } = await context.use(draftChanges);
      let before = untouched;
      for (const { sent, answer, after } of changes) {
        requireSuccess(before, "Reading the draft");
        requireSuccess(answer, "Changing the draft");
        requireSuccess(after, "Reading the draft again");
        // Whether the comments are shown at all is not stated.
        const shown = feedbackFields.filter(
          (name) => name !== "generalComments" || fieldsOf(after.json)[name] !== undefined,
        );
        assertUnchanged(after, before.json, sent, shown);
        before = after;
      }
    },
  }),
];

/** @throws Unmet where what was submitted is a draft after all; another check says so */
function pastDraft(exchange: Exchange | undefined): Exchange {
  if (!exchange) throw new Unmet("The feedback was not read.");
  requireSuccess(exchange, "Reading the feedback");
  if (fieldsOf(exchange.json).status === "draft")
    throw new Unmet("Submitted feedback reads back as a draft.", exchange);
  return exchange;
}
