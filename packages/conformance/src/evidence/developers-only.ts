import { isRecord, type Json } from "../engine/assertions.ts";
import { type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { feedbackPath, requireSubmitted, secondFeedback } from "./feedback.ts";
import { type Attempt, withoutKey } from "./strangers.ts";

/** One operation, tried by strangers and by the tester in vain, then done by the developer; the record between. */
export interface Turn {
  readonly sent: Json | undefined;
  readonly before: Exchange;
  readonly strangers: Attempt;
  readonly afterStrangers: Exchange;
  readonly byTester: Exchange;
  readonly afterTester: Exchange;
  readonly byDeveloper: Exchange;
  readonly after: Exchange;
}

const turn = (
  name: string,
  operation: "helpful" | "reply",
  first: Evidence<Turn> | undefined,
  body: (run: string, before: Exchange, again: Exchange) => Json | undefined,
): Evidence<Turn> =>
  evidence({
    name,
    needs: [secondFeedback, ...(first ? [first] : [])],
    cost: { tester: first ? 4 : 5, developer: 1, nobody: 2 },
    writes: true,
    async gather(context) {
      const at = feedbackPath((await context.use(secondFeedback)).id);
      const read = () => context.send("tester", "GET", at);
      const earlier = first && (await context.use(first));
      const before = earlier ? earlier.after : await read();
      requireSubmitted(before);
      const sent = body(context.run, earlier?.before ?? before, before);
      const sending = sent ? { body: sent } : {};
      const strangers = await withoutKey(context, "POST", `${at}/${operation}`, sending);
      const afterStrangers = await read();
      const byTester = await context.send("tester", "POST", `${at}/${operation}`, sending);
      const afterTester = await read();
      const byDeveloper = await context.send("developer", "POST", `${at}/${operation}`, sending);
      return { sent, before, strangers, afterStrangers, byTester, afterTester, byDeveloper, after: await read() };
    },
  });

/** The mark on the second project's feedback. */
export const marking = turn(
  "a mark, tried by a tester and made by the developer",
  "helpful",
  undefined,
  () => undefined,
);

/** The reply to the same feedback, which names the second of its bugs as resolved. */
export const replying = turn(
  "a reply, tried by a tester and given by the developer",
  "reply",
  marking,
  (run, before, again) => {
    const [first, last] = [bugIds(before), bugIds(again)];
    // A bug can be named only where its id is its own, and the same at each reading.
    const sure = new Set(last).size === last.length && first.join() === last.join();
    return { message: `${run} the bed is kept now, danke schön`, resolvedItems: sure ? last.slice(-1) : [] };
  },
);

function bugIds({ json }: Exchange): string[] {
  const bugs = isRecord(json) && Array.isArray(json.bugs) ? json.bugs : [];
  return bugs.flatMap((bug: unknown) => (isRecord(bug) && typeof bug.id === "string" ? [bug.id] : []));
}
