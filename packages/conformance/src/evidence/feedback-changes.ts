import type { Json } from "../engine/assertions.ts";
import { requireSuccess } from "../engine/assertions.ts";
import { type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { feedbackListPath, feedbackPath, firstDetail, firstFeedback } from "./feedback.ts";
import { createdId, creations, projectAt, projects } from "./projects.ts";
import { type Attempt, withoutKey } from "./strangers.ts";
import { feedbackBody } from "./texts.ts";

/** A change that was tried, and the record after it. */
export interface Change {
  readonly sent: Json;
  readonly answer: Exchange;
  readonly after: Exchange;
}

/** The change that is refused on submitted feedback and made on a draft: the same body. */
const both = (run: string): Json => ({ overallRating: 2, generalComments: `${run} changed my mind` });

export interface Attempts {
  readonly before: Exchange;
  readonly strangers: Attempt;
  readonly untouched: Exchange;
  readonly byAuthor: readonly Change[];
  readonly byDeveloper: Change;
}

/** Submitted feedback that strangers, its author and the developer try to change. */
export const attempts: Evidence<Attempts> = evidence({
  name: "submitted feedback that one tries to change",
  needs: [firstDetail, firstFeedback],
  cost: { tester: 6, developer: 1, nobody: 2 },
  writes: true,
  async gather(context) {
    const at = feedbackPath((await context.use(firstFeedback)).id);
    const before = await context.use(firstDetail);
    const read = () => context.send("tester", "GET", at);
    const change = async (holder: "tester" | "developer", sent: Json) => {
      const answer = await context.send(holder, "PATCH", at, { body: sent });
      return { sent, answer, after: await read() };
    };
    const strangers = await withoutKey(context, "PATCH", at, { body: both(context.run) });
    const untouched = await read();
    const byAuthor = [
      await change("tester", both(context.run)),
      await change("tester", { generalComments: `${context.run} one more thing` }),
    ];
    const byDeveloper = await change("developer", { overallRating: 5 });
    return { before, strangers, untouched, byAuthor, byDeveloper };
  },
});

export interface DraftChanges {
  readonly before: Exchange;
  readonly strangers: Attempt;
  readonly untouched: Exchange;
  readonly changes: readonly Change[];
}

/** A draft that strangers try to change in vain, and its author changes: both fields, then each alone. */
export const draftChanges: Evidence<DraftChanges> = evidence({
  name: "a draft of feedback being changed",
  needs: [projects, creations],
  provisions: ["draft"],
  cost: { tester: 9, nobody: 2 },
  writes: true,
  async gather(context) {
    const recipe = context.options.draft ?? { fields: {} };
    let id: string;
    if ("feedbackId" in recipe) id = recipe.feedbackId;
    else {
      const project = await projectAt(context, 1);
      const body = { ...feedbackBody(context.run, 6, ["high"]), ...recipe.fields };
      const send = () => context.send("tester", "POST", feedbackListPath(project), { body });
      id = createdId(await context.make("feedback", "tester", send), "Making a draft as configured");
    }
    const at = feedbackPath(id);
    const read = () => context.send("tester", "GET", at);
    const before = await read();
    requireSuccess(before, "Reading the draft");
    const strangers = await withoutKey(context, "PATCH", at, { body: both(context.run) });
    const untouched = await read();
    const changes: Change[] = [];
    for (const sent of [both(context.run), { overallRating: 4 }, { generalComments: `${context.run} and thanks` }]) {
      const answer = await context.send("tester", "PATCH", at, { body: sent });
      changes.push({ sent, answer, after: await read() });
    }
    return { before, strangers, untouched, changes };
  },
});
