import { setTimeout as pause } from "node:timers/promises";
import { instant, isRecord, type Json, succeeded } from "../engine/assertions.ts";
import type { Context } from "../engine/check.ts";
import { type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { Unmet } from "../engine/outcome.ts";
import { createdId, creations, excuseInactive, type Made, projectAt, projectPath, projects } from "./projects.ts";
import { type Attempt, withoutKey } from "./strangers.ts";
import { feedbackBody } from "./texts.ts";

export const feedbackPath = (id: string) => `/feedback/${encodeURIComponent(id)}`;
export const feedbackListPath = (project: Made) => `${projectPath(project.id)}/feedback`;

export interface Submission {
  readonly project: Made;
  readonly sent: Json;
  readonly answer: Exchange;
}

async function submit(
  context: Context,
  holder: "tester" | "developer",
  project: Made,
  sent: Json,
): Promise<Submission> {
  const send = () => context.send(holder, "POST", feedbackListPath(project), { body: sent });
  return { project, sent, answer: await context.make("feedback", holder, send) };
}

/** The tester's first submission, as it was answered: on the first project, with two bugs. */
export const firstSubmission: Evidence<Submission> = evidence({
  name: "feedback being submitted",
  needs: [projects, creations],
  // The second request is made only where the first was refused.
  cost: { tester: 1, developer: 1 },
  writes: true,
  async gather(context) {
    const project = await projectAt(context, 0);
    const submission = await submit(context, "tester", project, feedbackBody(context.run, 0, ["high", "high"]));
    await excuseInactive(context, submission.answer, project);
    return submission;
  },
});

const made = (submission: Submission): Made => ({
  ...submission,
  id: createdId(submission.answer, "Submitting feedback"),
});

export const firstFeedback: Evidence<Made> = evidence({
  name: "feedback that was submitted",
  needs: [firstSubmission],
  cost: {},
  writes: true,
  gather: async (context) => made(await context.use(firstSubmission)),
});

/** The detail of the first feedback, read by its author. */
export const firstDetail: Evidence<Exchange> = evidence({
  name: "the detail of feedback",
  needs: [firstFeedback],
  cost: { tester: 1 },
  writes: true,
  gather: async (context) => context.send("tester", "GET", feedbackPath((await context.use(firstFeedback)).id)),
});

/** Four submissions of the tester on the first project. */
export const four: Evidence<readonly Made[]> = evidence({
  name: "four submissions on one project",
  needs: [firstFeedback, firstSubmission],
  cost: { tester: 3 },
  writes: true,
  async gather(context) {
    const { project, answer } = await context.use(firstSubmission);
    const all = [await context.use(firstFeedback)];
    for (const n of [1, 2, 3]) {
      // Where dates are told to the second, they must differ by one for an order of dates to be seen.
      if (n === 2 && !tellsMilliseconds(answer)) await pause(1100);
      all.push(made(await submit(context, "tester", project, feedbackBody(context.run, n, ["high"]))));
    }
    return all;
  },
});

function tellsMilliseconds({ json }: Exchange): boolean {
  const created = isRecord(json) ? json.createdAt : undefined;
  return instant(created) % 1000 > 0;
}

/** A submission of the developer on the same project, which a deployment need not take. */
export const byDeveloper: Evidence<Submission> = evidence({
  name: "feedback submitted by the developer",
  needs: [four, projects, creations],
  cost: { developer: 1 },
  writes: true,
  async gather(context) {
    await context.use(four);
    return submit(context, "developer", await projectAt(context, 0), feedbackBody(context.run, 4, ["high"]));
  },
});

export interface Elsewhere {
  readonly project: Made;
  readonly strangers: Attempt;
  /** The list after the strangers' attempt. */
  readonly listed: Exchange;
  readonly submission: Submission;
}

/** Feedback on the second project, tried without a valid key and then submitted: two bugs of the other stated severity. */
export const elsewhere: Evidence<Elsewhere> = evidence({
  name: "feedback on a second project",
  needs: [projects, creations, firstSubmission],
  cost: { tester: 2, nobody: 2 },
  writes: true,
  async gather(context) {
    await context.use(firstSubmission);
    const project = await projectAt(context, 1);
    const sent = feedbackBody(context.run, 5, ["medium", "medium"]);
    const at = feedbackListPath(project);
    const strangers = await withoutKey(context, "POST", at, { body: sent });
    const listed = await context.send("tester", "GET", at);
    return { project, strangers, listed, submission: await submit(context, "tester", project, sent) };
  },
});

export const secondFeedback: Evidence<Made> = evidence({
  name: "feedback that was submitted on a second project",
  needs: [elsewhere],
  cost: {},
  writes: true,
  gather: async (context) => made((await context.use(elsewhere)).submission),
});

/** The developer's mark on the third of the four, which no one else marks. */
export const firstMark: Evidence<{ readonly marked: Made; readonly answer: Exchange }> = evidence({
  name: "feedback being marked as helpful",
  needs: [four, firstDetail],
  cost: { developer: 1 },
  writes: true,
  async gather(context) {
    requireSubmitted(await context.use(firstDetail));
    const marked = (await context.use(four))[2] as Made;
    return { marked, answer: await context.send("developer", "POST", `${feedbackPath(marked.id)}/helpful`) };
  },
});

/** @throws Unmet where what was submitted is a draft after all, which a developer need not see; a check says so */
export function requireSubmitted(detail: Exchange): void {
  if (isRecord(detail.json) && detail.json.status === "draft")
    throw new Unmet("Submitted feedback reads back as a draft.", detail);
}

/** Who wrote the feedback, as the detail tells it. @throws Unmet where it does not */
export async function testerIdOf(context: Context): Promise<string> {
  const { json } = await context.use(firstDetail);
  const id = isRecord(json) ? json.testerId : undefined;
  if (typeof id !== "string" && typeof id !== "number")
    throw new Unmet("The detail of feedback does not tell its testerId.");
  return String(id);
}

/** Ids of what surely stands on the first project, the developer's submission among them where it was taken. */
export async function onFirstProject(
  context: Context,
): Promise<{ readonly sure: readonly Made[]; readonly other: Made | undefined }> {
  const sure = await context.use(four);
  const other = await context.use(byDeveloper);
  return { sure, other: succeeded(other.answer) ? made(other) : undefined };
}
