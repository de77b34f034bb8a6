import { type Json, requireSuccess, succeeded } from "../engine/assertions.ts";
import { type Context, type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import {
  feedbackListPath,
  feedbackPath,
  firstDetailNeeds,
  firstFeedback,
  firstSubmission,
  openProject,
  reader,
  readFeedback,
  submit,
} from "./feedback.ts";
import { Inputs } from "./inputs.ts";
import { createdId, creations, projects, usualSettling } from "./projects.ts";
import { type Unauthenticated, withoutKey } from "./without-key.ts";

/** An attempt to change feedback. */
export interface Attempt {
  readonly holder: "tester" | "developer";
  readonly sent: Json;
  readonly answer: Exchange;
}

/** Attempts on submitted feedback, and the record before and after them. */
export interface Attempts {
  readonly before: Exchange;
  readonly all: readonly Attempt[];
  readonly after: Exchange;
}

/** Every field of a submission alone, the two that the interface names together, and a change of the status. */
function attemptBodies(context: Context): Json[] {
  const inputs = new Inputs(context);
  const other = inputs.feedback(20, inputs.rating(0), ["medium"]);
  const { overallRating, generalComments, uiFeedback, uxFeedback, bugs } = other;
  return [
    { overallRating, generalComments },
    { overallRating },
    { generalComments },
    { uiFeedback },
    { uxFeedback },
    { bugs },
  ];
}

async function attempt(context: Context, holder: "tester" | "developer", id: string, sent: Json): Promise<Attempt> {
  return { holder, sent, answer: await context.send(holder, "PATCH", feedbackPath(id), { body: sent }) };
}

export interface SubmittedAttempts {
  readonly before: Exchange;
  readonly withoutKey: Unauthenticated;
  readonly untouched: Exchange;
  readonly byAuthor: Attempts;
  readonly byOwner: Attempts;
}

/** Submitted feedback that callers without a key, its author and the owner of the project try to change. */
export const submittedAttempts: Evidence<SubmittedAttempts> = evidence({
  name: "submitted feedback that one tries to change",
  needs: [...firstDetailNeeds, firstFeedback],
  cost: { tester: 6, developer: 2, nobody: 2 },
  reads: 4,
  optional: { quick: {}, full: { tester: 4, developer: 14 } },
  writes: true,
  async gather(context) {
    const { id } = await context.use(firstFeedback);
    const before = await readFeedback(context, id);
    const bodies = attemptBodies(context);
    const without = await withoutKey(context, "PATCH", feedbackPath(id), { body: bodies[0] });
    const untouched = await readFeedback(context, id);
    const series = async (holder: "tester" | "developer", from: Exchange, some: readonly Json[]): Promise<Attempts> => {
      const all: Attempt[] = [];
      for (const sent of some) all.push(await attempt(context, holder, id, sent));
      return { before: from, all, after: await readFeedback(context, id) };
    };
    const byAuthor = await series("tester", untouched, bodies);
    const byOwner = await series(
      "developer",
      byAuthor.after,
      context.depth === "full" ? bodies : [bodies[0] ?? {}, bodies[5] ?? {}],
    );
    return { before, withoutKey: without, untouched, byAuthor, byOwner };
  },
});

/** The same attempts on feedback that is in another situation, such as after a mark. */
export async function attemptsOn(context: Context, id: string, before: Exchange): Promise<Attempts> {
  const bodies = attemptBodies(context);
  const all: Attempt[] = [];
  const full = context.depth === "full";
  for (const sent of full ? bodies : bodies.slice(0, 3)) all.push(await attempt(context, "tester", id, sent));
  if (full)
    for (const sent of [bodies[0] ?? {}, bodies[3] ?? {}]) all.push(await attempt(context, "developer", id, sent));
  return { before, all, after: await readFeedback(context, id) };
}

/** New feedback, given time for its status to settle and then tried. Shows whether an attempt moves the status. */
export const settledAttempt: Evidence<Attempts | undefined> = evidence({
  name: "settled feedback that one tries to change",
  needs: [firstSubmission, reader],
  cost: {},
  optional: { quick: { tester: 4 }, full: { tester: 4 } },
  writes: true,
  async gather(context) {
    const inputs = new Inputs(context);
    if (!context.affords("tester", 4) || inputs.submissions < 8) return undefined;
    const { projectId } = await context.use(firstSubmission);
    const { answer } = await submit(context, "tester", projectId, inputs.feedback(21, inputs.rating(1), ["high"]));
    const id = createdId(answer, "Submitting feedback");
    await context.pause(Math.max(usualSettling, context.options.settle ?? 0));
    const before = await readFeedback(context, id);
    const tried = await attempt(context, "tester", id, attemptBodies(context)[0] ?? {});
    return { before, all: [tried], after: await readFeedback(context, id) };
  },
});

/** A change of a draft, and the draft after it where it can be read. */
export interface DraftChange {
  readonly sent: Json;
  readonly answer: Exchange;
  readonly after: Exchange | undefined;
}

export interface DraftChanges {
  readonly id: string;
  /** The draft before the changes; undefined where neither key reads drafts. */
  readonly before: Exchange | undefined;
  readonly withoutKey: Unauthenticated;
  readonly untouched: Exchange | undefined;
  readonly changes: readonly DraftChange[];
  /** The list of its project after the changes. */
  readonly listed: Exchange;
}

/** A draft that callers without a key try to change in vain, and its author changes: both fields, then each alone. */
export const draftChanges: Evidence<DraftChanges> = evidence({
  name: "a draft of feedback being changed",
  needs: [projects, creations, firstSubmission, reader],
  provisions: ["draft"],
  cost: { tester: 11, nobody: 2 },
  optional: { quick: { developer: 2 }, full: { tester: 6, developer: 6 } },
  writes: true,
  async gather(context) {
    const recipe = context.options.draft ?? { fields: {} };
    const inputs = new Inputs(context);
    // Where a tester submits once to each project, the draft has a project of its own.
    const projectId = await openProject(context, inputs.submissions < 2 ? "changed" : "second");
    let id: string;
    if ("feedbackId" in recipe) id = recipe.feedbackId;
    else {
      const body = { ...inputs.feedback(11, inputs.rating(1), ["high"]), ...recipe.fields };
      id = createdId((await submit(context, "tester", projectId, body)).answer, "Creating a draft as declared");
    }
    const read = () => readDraft(context, id);
    const before = await read();
    if (before) requireSuccess(before, "Reading the draft");
    const both = { overallRating: inputs.rating(0), generalComments: inputs.text("changed my mind") };
    const attempts = await withoutKey(context, "PATCH", feedbackPath(id), { body: both });
    const untouched = before && (await read());
    const changes: DraftChange[] = [];
    const change = async (sent: Json, reads = true) => {
      const answer = await context.send("tester", "PATCH", feedbackPath(id), { body: sent });
      changes.push({ sent, answer, after: reads && before ? await read() : undefined });
    };
    await change(both);
    await change({ overallRating: inputs.rating(2) });
    await change({ generalComments: inputs.text("and thanks") });
    if (context.depth === "full") {
      // Two changes in a row: each counts, and the second keeps the first.
      await change({ overallRating: inputs.rating(0) }, false);
      await change({ generalComments: inputs.special("text") });
    }
    const listed = await context.send("tester", "GET", feedbackListPath(projectId));
    return { id, before, withoutKey: attempts, untouched, changes, listed };
  },
});

/** The draft, read by its author or else by the developer; undefined where testers read no feedback and developers no draft. */
async function readDraft(context: Context, id: string): Promise<Exchange | undefined> {
  const own = await context.send("tester", "GET", feedbackPath(id));
  if (succeeded(own) || (await context.use(reader)) === "tester") return own;
  if (!context.affords("developer")) return undefined;
  const owners = await context.send("developer", "GET", feedbackPath(id));
  return succeeded(owners) ? owners : undefined;
}
