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
  isRecord,
  record,
  refused,
  requireSuccess,
  string,
  succeeded,
  timestamp,
} from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Violation } from "../engine/outcome.ts";
import { marking, replying } from "../evidence/developers-only.ts";
import { firstMark } from "../evidence/feedback.ts";
import { feedbackFields } from "../evidence/texts.ts";
import { stated } from "./declare.ts";

const countOf = ({ json }: Exchange): unknown => (isRecord(json) ? json.helpfulCount : undefined);
const fieldOf = ({ json }: Exchange, name: string): unknown => (isRecord(json) ? json[name] : undefined);

export const developersOnly = [
  stated({
    id: "helpful.answer",
    title: "POST /feedback/{id}/helpful answers `success`, true, and `helpfulCount`, an integer.",
    clauses: ["S-FB-HELP-1", "S-BASE-1"],
    needs: [firstMark],
    async prove(context) {
      const { answer } = await context.use(firstMark);
      assertSuccess(answer);
      assertNoFaults(answer, faults(answer.json, { success: boolean, helpfulCount: integer }));
      assertNoFaults(answer, faults(answer.json, { success: equal(true) }));
    },
  }),
  stated({
    id: "helpful.counts",
    title: "The first mark on feedback counts one.",
    clauses: ["S-FB-HELP-1"],
    needs: [firstMark],
    async prove(context) {
      const { answer } = await context.use(firstMark);
      requireSuccess(answer, "Marking the feedback");
      const seen = countOf(answer);
      if (Number(seen) !== 1)
        throw new Violation("One mark does not count one.", { expected: 1, seen, exchange: answer });
    },
  }),
  stated({
    id: "reply.answer",
    title:
      "POST /feedback/{id}/reply answers `success`, true, and developerResponse with the message, resolvedItems and createdAt.",
    clauses: ["S-FB-REPLY-1", "S-BASE-1"],
    needs: [replying],
    async prove(context) {
      const { sent, byDeveloper } = await context.use(replying);
      assertSuccess(byDeveloper);
      assertNoFaults(byDeveloper, faults(byDeveloper.json, { success: boolean, developerResponse: record }));
      assertNoFaults(byDeveloper, faults(byDeveloper.json, { success: equal(true) }));
      const response = fieldOf(byDeveloper, "developerResponse");
      const rules = { message: string, resolvedItems: array, createdAt: timestamp };
      assertNoFaults(byDeveloper, faults(response, rules, { at: "developerResponse" }));
      assertNoFaults(byDeveloper, faults(response, { message: equal(sent?.message) }, { at: "developerResponse" }));
    },
  }),
  stated({
    id: "reply.kept",
    title: "Where feedback's detail shows developerResponse, it shows the reply once it was given.",
    clauses: ["S-FB-REPLY-1"],
    needs: [replying],
    async prove(context) {
      const { sent, byDeveloper, before, after } = await context.use(replying);
      requireSuccess(byDeveloper, "Replying");
      requireSuccess(after, "Reading the feedback after the reply");
      const shown = fieldOf(after, "developerResponse");
      if (shown === undefined && fieldOf(before, "developerResponse") === undefined) return;
      if (!JSON.stringify(shown ?? null).includes(JSON.stringify(sent?.message))) {
        throw new Violation("The reply is not in the feedback that was replied to.", {
          expected: sent,
          seen: shown ?? "absent",
          exchange: after,
        });
      }
    },
  }),
  stated({
    id: "role.helpful",
    title: "A tester's mark is refused and counts nothing, where a developer's is made.",
    clauses: ["S-ROLE-1", "S-FB-HELP-1"],
    needs: [marking, firstMark],
    async prove(context) {
      const { strangers, afterStrangers, byTester, afterTester, byDeveloper } = await context.use(marking);
      assertRefused(byTester, "the key is a tester's");
      requireSuccess(afterStrangers, "Reading the feedback");
      requireSuccess(afterTester, "Reading the feedback again");
      assertUnchanged(afterTester, afterStrangers.json, {}, feedbackFields);
      requireSuccess(byDeveloper, "The control, the same request with a developer's key,");
      // Where the count is not shown, the developer's mark tells it: the same as on feedback that no tester tried.
      const untried = (await context.use(firstMark)).answer;
      const comparable = refused(strangers.missing) && refused(strangers.unknown) && succeeded(untried);
      if (
        comparable &&
        fieldOf(afterTester, "helpfulCount") === undefined &&
        countOf(byDeveloper) !== countOf(untried)
      ) {
        throw new Violation(`${summary(byTester)}: the mark that was refused counts.`, {
          expected: countOf(untried),
          seen: countOf(byDeveloper),
          exchange: byDeveloper,
        });
      }
    },
  }),
  stated({
    id: "role.reply",
    title: "A tester's reply is refused and kept nowhere, where a developer's is taken.",
    clauses: ["S-ROLE-1", "S-FB-REPLY-1"],
    needs: [replying],
    async prove(context) {
      const { afterStrangers, byTester, afterTester, byDeveloper } = await context.use(replying);
      assertRefused(byTester, "the key is a tester's");
      requireSuccess(afterStrangers, "Reading the feedback");
      requireSuccess(afterTester, "Reading the feedback again");
      assertUnchanged(afterTester, afterStrangers.json, {}, feedbackFields);
      requireSuccess(byDeveloper, "The control, the same request with a developer's key,");
    },
  }),
];
