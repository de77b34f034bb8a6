import {
  array,
  assertNoFaults,
  assertRefused,
  assertSuccess,
  assertUnchanged,
  boolean,
  equal,
  faults,
  integer,
  record,
  refused,
  requireSuccess,
  string,
  succeeded,
  timestamp,
} from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Violation } from "../engine/outcome.ts";
import { marking, moreReplies, replying } from "../evidence/developer-actions.ts";
import { marks } from "../evidence/feedback.ts";
import { fieldsOf } from "../evidence/lists.ts";
import { feedbackFields } from "../evidence/vocabulary.ts";
import { stated } from "./declare.ts";

const countOf = ({ json }: Exchange): unknown => fieldsOf(json).helpfulCount;
const responseOf = ({ json }: Exchange): unknown => fieldsOf(json).developerResponse;

function assertMark(answer: Exchange): void {
  assertSuccess(answer);
  assertNoFaults(answer, faults(answer.json, { success: boolean, helpfulCount: integer }));
  assertNoFaults(answer, faults(answer.json, { success: equal(true) }));
}

function assertReply(answer: Exchange, message: unknown): void {
  assertSuccess(answer);
  assertNoFaults(answer, faults(answer.json, { success: boolean, developerResponse: record }));
  assertNoFaults(answer, faults(answer.json, { success: equal(true) }));
  const rules = { message: string, resolvedItems: array, createdAt: timestamp };
  assertNoFaults(answer, faults(responseOf(answer), rules, { at: "developerResponse" }));
  assertNoFaults(answer, faults(responseOf(answer), { message: equal(message) }, { at: "developerResponse" }));
}

/** Fields that a mark changes, a reply changes, and neither. */
const markFields: readonly string[] = ["helpfulCount"];
const replyFields: readonly string[] = ["developerResponse"];

export const developerActions = [
  stated({
    id: "helpful.answer",
    title: "POST /feedback/{id}/helpful returns `success`, true, and `helpfulCount`, an integer.",
    clauses: ["S-FB-HELP-1", "S-BASE-1"],
    needs: [marks, marking],
    async prove(context) {
      for (const { answer } of await context.use(marks)) assertMark(answer);
    },
  }),
  stated({
    id: "helpful.counts",
    title: "The first mark on feedback counts one, and is kept where the count is shown.",
    clauses: ["S-FB-HELP-1"],
    needs: [marks, marking],
    async prove(context) {
      for (const { answer } of await context.use(marks)) {
        requireSuccess(answer, "Marking the feedback");
        const seen = countOf(answer);
        if (Number(seen) !== 1)
          throw new Violation("One mark does not count one.", { expected: 1, seen, exchange: answer });
      }
      const { before, byDeveloper, after, byTester, withoutKey } = await context.use(marking);
      const alone = refused(byTester) && refused(withoutKey.missing) && refused(withoutKey.unknown);
      if (!succeeded(byDeveloper) || !succeeded(before) || !succeeded(after) || !alone) return;
      const [earlier, later] = [countOf(before), countOf(after)];
      if (typeof earlier === "number" && later !== earlier + 1)
        throw new Violation(`${summary(after)}: the mark is not counted.`, {
          expected: earlier + 1,
          seen: later,
          exchange: after,
        });
    },
  }),
  stated({
    id: "helpful.leaves-others",
    title: "A mark changes nothing else in the feedback.",
    clauses: ["S-FB-HELP-1"],
    needs: [marking],
    async prove(context) {
      const { afterTester, byDeveloper, after } = await context.use(marking);
      requireSuccess(byDeveloper, "Marking the feedback");
      requireSuccess(after, "Reading the feedback");
      const kept = feedbackFields.filter((name) => !markFields.includes(name));
      assertUnchanged(after, afterTester.json, {}, kept);
    },
  }),
  stated({
    id: "reply.answer",
    title:
      "POST /feedback/{id}/reply returns `success`, true, and developerResponse with the message, resolvedItems and createdAt.",
    clauses: ["S-FB-REPLY-1", "S-BASE-1"],
    needs: [replying],
    async prove(context) {
      const { sent, byDeveloper } = await context.use(replying);
      assertReply(byDeveloper, sent?.message);
    },
  }),
  stated({
    id: "reply.unusual-texts",
    title: "A message with quotes, tags, escapes or several lines that is accepted is returned unchanged.",
    clauses: ["S-FB-REPLY-1"],
    needs: [moreReplies],
    async prove(context) {
      for (const { sent, answer } of await context.use(moreReplies))
        if (succeeded(answer)) assertReply(answer, sent.message);
    },
  }),
  stated({
    id: "reply.kept",
    title: "Where the detail of feedback shows developerResponse, it shows the reply, and nothing else has changed.",
    clauses: ["S-FB-REPLY-1"],
    needs: [replying],
    async prove(context) {
      const { sent, byDeveloper, before, afterTester, after } = await context.use(replying);
      requireSuccess(byDeveloper, "Replying");
      requireSuccess(after, "Reading the feedback after the reply");
      const shown = responseOf(after);
      const isShown = shown !== undefined || responseOf(before) !== undefined;
      if (isShown && !JSON.stringify(shown ?? null).includes(JSON.stringify(sent?.message))) {
        throw new Violation("The reply is not in the feedback that was replied to.", {
          expected: sent,
          seen: shown ?? "absent",
          exchange: after,
        });
      }
      const kept = feedbackFields.filter((name) => !replyFields.includes(name));
      assertUnchanged(after, afterTester.json, {}, kept);
    },
  }),
  stated({
    id: "feedback.reply-resolves",
    title: "A reply names the bugs of the feedback that it was sent with as resolved, all of them.",
    clauses: ["S-FB-REPLY-1"],
    needs: [replying],
    async prove(context) {
      const { sent, byDeveloper } = await context.use(replying);
      requireSuccess(byDeveloper, "Replying");
      const items = Array.isArray(sent?.resolvedItems) ? sent.resolvedItems : [];
      const seen = fieldsOf(responseOf(byDeveloper)).resolvedItems;
      const same = Array.isArray(seen) && seen.map(String).toSorted().join() === items.map(String).toSorted().join();
      if (!same)
        throw new Violation("The reply does not name the bugs it was sent with.", {
          expected: items,
          seen,
          exchange: byDeveloper,
        });
    },
  }),
  stated({
    id: "role.helpful",
    title: "A tester's mark is refused and counts nothing; a developer's is made.",
    clauses: ["S-ROLE-1", "S-FB-HELP-1"],
    needs: [marking, marks],
    async prove(context) {
      const { withoutKey, afterWithoutKey, byTester, afterTester, byDeveloper } = await context.use(marking);
      assertRefused(byTester, "the key is a tester's");
      requireSuccess(afterWithoutKey, "Reading the feedback");
      requireSuccess(afterTester, "Reading the feedback again");
      assertUnchanged(afterTester, afterWithoutKey.json, {}, feedbackFields);
      requireSuccess(byDeveloper, "The control, the same request with a developer's key,");
      // Where the count is not shown, the developer's mark tells it: the same as on feedback that no tester tried.
      const [untried] = await context.use(marks);
      const comparable =
        refused(withoutKey.missing) &&
        refused(withoutKey.unknown) &&
        untried !== undefined &&
        succeeded(untried.answer);
      if (
        comparable &&
        untried.marked.id !== fieldsOf(afterTester.json).id &&
        countOf(afterTester) === undefined &&
        countOf(byDeveloper) !== countOf(untried.answer)
      ) {
        throw new Violation(`${summary(byTester)}: the mark that was refused counts.`, {
          expected: countOf(untried.answer),
          seen: countOf(byDeveloper),
          exchange: byDeveloper,
        });
      }
    },
  }),
  stated({
    id: "role.reply",
    title: "A tester's reply is refused and kept nowhere; a developer's is accepted.",
    clauses: ["S-ROLE-1", "S-FB-REPLY-1"],
    needs: [replying],
    async prove(context) {
      const { afterWithoutKey, byTester, afterTester, byDeveloper } = await context.use(replying);
      assertRefused(byTester, "the key is a tester's");
      requireSuccess(afterWithoutKey, "Reading the feedback");
      requireSuccess(afterTester, "Reading the feedback again");
      assertUnchanged(afterTester, afterWithoutKey.json, {}, feedbackFields);
      requireSuccess(byDeveloper, "The control, the same request with a developer's key,");
    },
  }),
];
