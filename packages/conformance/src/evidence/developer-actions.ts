import { isRecord, type Json } from "../engine/assertions.ts";
import { type Context, type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { feedbackPath, firstDetailNeeds, marks, readFeedback, requireSubmitted, secondFeedback } from "./feedback.ts";
import { type Attempts, attemptsOn } from "./feedback-changes.ts";
import { Inputs } from "./inputs.ts";
import { type Unauthenticated, withoutKey } from "./without-key.ts";

/** One operation, tried without a valid key and by the tester in vain, then done by the developer; the record between. */
export interface Action {
  readonly sent: Json | undefined;
  readonly before: Exchange;
  readonly withoutKey: Unauthenticated;
  readonly afterWithoutKey: Exchange;
  readonly byTester: Exchange;
  readonly afterTester: Exchange;
  readonly byDeveloper: Exchange;
  readonly after: Exchange;
}

async function perform(
  context: Context,
  operation: "helpful" | "reply",
  body: (before: Exchange) => Json | undefined,
): Promise<Action> {
  const { id } = await context.use(secondFeedback);
  const at = `${feedbackPath(id)}/${operation}`;
  const read = () => readFeedback(context, id);
  const before = await read();
  requireSubmitted(before);
  const sent = body(before);
  const sending = sent ? { body: sent } : {};
  const attempts = await withoutKey(context, "POST", at, sending);
  const afterWithoutKey = await read();
  const byTester = await context.send("tester", "POST", at, sending);
  const afterTester = await read();
  const byDeveloper = await context.send("developer", "POST", at, sending);
  return {
    sent,
    before,
    withoutKey: attempts,
    afterWithoutKey,
    byTester,
    afterTester,
    byDeveloper,
    after: await read(),
  };
}

const cost = { tester: 1, developer: 1, nobody: 2 };

/** The mark on the feedback of the second project. */
export const marking: Evidence<Action> = evidence({
  name: "a mark, tried by a tester and made by the developer",
  needs: [secondFeedback, ...firstDetailNeeds],
  cost,
  reads: 4,
  writes: true,
  gather: (context) => perform(context, "helpful", () => undefined),
});

/** The reply to the same feedback, which names its bugs as resolved. */
export const replying: Evidence<Action> = evidence({
  name: "a reply, tried by a tester and given by the developer",
  needs: [secondFeedback, marking, ...firstDetailNeeds],
  cost,
  reads: 4,
  writes: true,
  async gather(context) {
    const earlier = (await context.use(marking)).before;
    return perform(context, "reply", (before) => {
      const [first, last] = [bugIds(earlier), bugIds(before)];
      // A bug can be named only where its id is its own, and the same at each reading.
      const sure = new Set(last).size === last.length && first.join() === last.join();
      return { message: new Inputs(context).text(`the bed is kept, danke`), resolvedItems: sure ? last : [] };
    });
  },
});

function bugIds({ json }: Exchange): string[] {
  const bugs = isRecord(json) && Array.isArray(json.bugs) ? json.bugs : [];
  return bugs.flatMap((bug: unknown) => (isRecord(bug) && typeof bug.id === "string" ? [bug.id] : []));
}

const attempts = (name: string, needed: Evidence<Action>) =>
  evidence({
    name,
    needs: [secondFeedback, needed, ...firstDetailNeeds],
    cost: { tester: 3 },
    reads: 1,
    optional: { quick: {}, full: { tester: 3, developer: 2 } },
    writes: true,
    async gather(context): Promise<Attempts> {
      const { after } = await context.use(needed);
      return attemptsOn(context, (await context.use(secondFeedback)).id, after);
    },
  });

/** Attempts to change feedback that was marked, and that was replied to. */
export const attemptsAfterMark = attempts("marked feedback that one tries to change", marking);
export const attemptsAfterReply = attempts("answered feedback that one tries to change", replying);

/** A second reply with texts that careless servers change, and replies to the feedback that was marked first. */
export const moreReplies: Evidence<readonly { readonly sent: Json; readonly answer: Exchange }[]> = evidence({
  name: "more replies",
  needs: [secondFeedback, replying, marks],
  cost: {},
  optional: { quick: { developer: 1 }, full: { developer: 3 } },
  writes: true,
  async gather(context) {
    await context.use(replying);
    const inputs = new Inputs(context);
    const { id } = await context.use(secondFeedback);
    const [first] = await context.use(marks);
    const targets = [id, ...(context.depth === "full" && first ? [first.marked.id, first.marked.id] : [])];
    const all = [];
    for (const [n, target] of targets.entries()) {
      if (!context.affords("developer")) break;
      const message = n === 1 ? inputs.long("text") : inputs.special("text");
      const sent = { message, resolvedItems: [] };
      all.push({
        sent,
        answer: await context.send("developer", "POST", `${feedbackPath(target)}/reply`, { body: sent }),
      });
    }
    return all;
  },
});
