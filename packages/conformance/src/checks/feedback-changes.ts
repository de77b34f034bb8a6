import type { Exchange } from "../engine/exchange.ts";
import {
  demandRefusal,
  demandSuccess,
  equal,
  faults,
  isRecord,
  type Json,
  relyOn,
  verify,
  verifyKept,
} from "../engine/judge.ts";
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
    async prove(stage) {
      const { untouched, byAuthor } = await stage.use(attempts);
      let before = pastDraft(untouched);
      for (const { answer, after } of byAuthor) {
        demandRefusal(answer, "the feedback is no draft");
        relyOn(after, "Reading the feedback again");
        verifyKept(after, before.json, {}, feedbackFields);
        before = after;
      }
    },
  }),
  stated({
    id: "feedback.draft-rule-control",
    title: "The change that is refused on submitted feedback is made on a draft.",
    clauses: ["S-FB-PATCH-1", "S-FB-PATCH-2"],
    needs: [draftChanges],
    async prove(stage) {
      for (const { answer } of (await stage.use(draftChanges)).changes.slice(0, 1)) demandSuccess(answer);
    },
  }),
  stated({
    id: "feedback.draft-rule-developer",
    title: "Submitted feedback cannot be changed by a developer either.",
    clauses: ["S-FB-PATCH-2"],
    needs: [attempts],
    async prove(stage) {
      const { byAuthor, byDeveloper } = await stage.use(attempts);
      const before = pastDraft(byAuthor.at(-1)?.after);
      demandRefusal(byDeveloper.answer, "the feedback is no draft");
      relyOn(byDeveloper.after, "Reading the feedback again");
      verifyKept(byDeveloper.after, before.json, {}, feedbackFields);
    },
  }),
  stated({
    id: "feedback.patch-answer",
    title: "PATCH of a draft answers the updated record with its id and overallRating.",
    clauses: ["S-FB-PATCH-1", "S-BASE-1"],
    needs: [draftChanges],
    async prove(stage) {
      const { before, changes } = await stage.use(draftChanges);
      let rating = fieldsOf(before.json).overallRating;
      const { id } = fieldsOf(before.json);
      for (const { sent, answer } of changes) {
        demandSuccess(answer);
        rating = sent.overallRating ?? rating;
        verify(
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
    async prove(stage) {
      const { untouched, changes } = await stage.use(draftChanges);
      let before = untouched;
      for (const { sent, answer, after } of changes) {
        relyOn(before, "Reading the draft");
        relyOn(answer, "Changing the draft");
        relyOn(after, "Reading the draft again");
        // Whether the comments are shown at all is not stated.
        const shown = feedbackFields.filter(
          (name) => name !== "generalComments" || fieldsOf(after.json)[name] !== undefined,
        );
        verifyKept(after, before.json, sent, shown);
        before = after;
      }
    },
  }),
];

/** @throws Unmet where what was submitted is a draft after all; another check says so */
function pastDraft(exchange: Exchange | undefined): Exchange {
  if (!exchange) throw new Unmet("The feedback was not read.");
  relyOn(exchange, "Reading the feedback");
  if (fieldsOf(exchange.json).status === "draft")
    throw new Unmet("Submitted feedback reads back as a draft.", exchange);
  return exchange;
}
