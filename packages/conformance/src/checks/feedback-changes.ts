import {
  assertNoFaults,
  assertRefused,
  assertSuccess,
  assertUnchanged,
  equal,
  faults,
  requireSuccess,
  succeeded,
} from "../engine/assertions.ts";
import type { Context } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { Unmet } from "../engine/outcome.ts";
import { attemptsAfterMark, attemptsAfterReply, marking, replying } from "../evidence/developer-actions.ts";
import { type Attempts, draftChanges, settledAttempt, submittedAttempts } from "../evidence/feedback-changes.ts";
import { fieldsOf, idOf, itemsOf } from "../evidence/lists.ts";
import { feedbackFields } from "../evidence/vocabulary.ts";
import { asSent, assertStatusKept } from "./comparisons.ts";
import { stated } from "./declare.ts";

/** @throws Violation where an attempt on feedback past draft was accepted, or changed it */
async function assertDraftRule(context: Context, { before, all, after }: Attempts): Promise<void> {
  requireSuccess(before, "Reading the feedback");
  if (fieldsOf(before.json).status === "draft") throw new Unmet("The feedback reads back as a draft.", before);
  for (const { answer } of all) assertRefused(answer, "the feedback is not a draft");
  requireSuccess(after, "Reading the feedback again");
  assertUnchanged(after, before.json, {}, feedbackFields);
  await assertStatusKept(context, before, after, settledAttempt);
}

export const feedbackChanges = [
  stated({
    id: "feedback.draft-rule",
    title:
      "Submitted feedback cannot be changed by its author, in any field: every attempt is refused and the record stays as it was.",
    clauses: ["S-FB-PATCH-2", "S-BASE-1"],
    needs: [submittedAttempts, settledAttempt],
    async prove(context) {
      await assertDraftRule(context, (await context.use(submittedAttempts)).byAuthor);
    },
  }),
  stated({
    id: "feedback.draft-rule-control",
    title: "The change that is refused on submitted feedback is made on a draft.",
    clauses: ["S-FB-PATCH-1", "S-FB-PATCH-2"],
    group: "drafts",
    needs: [draftChanges],
    async prove(context) {
      const [first] = (await context.use(draftChanges)).changes;
      if (first) assertSuccess(first.answer);
    },
  }),
  stated({
    id: "feedback.draft-rule-developer",
    title: "Submitted feedback cannot be changed by the owner of the project either.",
    clauses: ["S-FB-PATCH-2"],
    needs: [submittedAttempts, settledAttempt],
    async prove(context) {
      await assertDraftRule(context, (await context.use(submittedAttempts)).byOwner);
    },
  }),
  stated({
    id: "feedback.draft-rule-marked",
    title: "A mark does not make submitted feedback changeable.",
    clauses: ["S-FB-PATCH-2"],
    needs: [attemptsAfterMark, marking, settledAttempt],
    async prove(context) {
      requireSuccess((await context.use(marking)).byDeveloper, "Marking the feedback");
      await assertDraftRule(context, await context.use(attemptsAfterMark));
    },
  }),
  stated({
    id: "feedback.draft-rule-answered",
    title: "A reply does not make submitted feedback changeable.",
    clauses: ["S-FB-PATCH-2"],
    needs: [attemptsAfterReply, replying, settledAttempt],
    async prove(context) {
      requireSuccess((await context.use(replying)).byDeveloper, "Replying");
      await assertDraftRule(context, await context.use(attemptsAfterReply));
    },
  }),
  stated({
    id: "feedback.patch-answer",
    title: "PATCH of a draft returns the updated record with its id and overallRating.",
    clauses: ["S-FB-PATCH-1", "S-BASE-1"],
    group: "drafts",
    needs: [draftChanges],
    async prove(context) {
      const { id, before, changes } = await context.use(draftChanges);
      let rating = before && fieldsOf(before.json).overallRating;
      for (const { sent, answer } of changes) {
        assertSuccess(answer);
        rating = sent.overallRating ?? rating;
        const { id: seen } = fieldsOf(answer.json);
        assertNoFaults(
          answer,
          faults(
            { ...fieldsOf(answer.json), id: seen === undefined ? undefined : String(seen) },
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
    group: "drafts",
    needs: [draftChanges],
    async prove(context) {
      const { untouched, changes } = await context.use(draftChanges);
      let before: Exchange | undefined = untouched;
      let sent = {};
      for (const change of changes) {
        requireSuccess(change.answer, "Changing the draft");
        sent = { ...sent, ...change.sent };
        const { after } = change;
        // Where neither key reads drafts, the answers are all there is.
        if (!before || !after) continue;
        requireSuccess(before, "Reading the draft");
        requireSuccess(after, "Reading the draft again");
        // Whether the comments are shown at all is not stated.
        const shown = feedbackFields.filter(
          (name) => name !== "generalComments" || fieldsOf(after.json)[name] !== undefined,
        );
        assertUnchanged(after, before.json, sent, [...shown, "status"]);
        before = after;
        sent = {};
      }
    },
  }),
  stated({
    id: "feedback.patch-listed",
    title: "Where a draft is listed for its author, it is listed as it is after the change.",
    clauses: ["S-FB-PATCH-1", "S-FB-LIST-1"],
    group: "drafts",
    needs: [draftChanges],
    async prove(context) {
      const { id, changes, listed } = await context.use(draftChanges);
      for (const { answer } of changes) requireSuccess(answer, "Changing the draft");
      if (!succeeded(listed)) return;
      const item = itemsOf(listed).find((one) => idOf(one) === id);
      const rating = changes.findLast(({ sent }) => sent.overallRating !== undefined)?.sent.overallRating;
      if (item) assertNoFaults(listed, faults(item, { overallRating: equal(rating) }, { at: `the item of ${id}` }));
    },
  }),
];
