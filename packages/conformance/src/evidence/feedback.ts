import { instant, isRecord, type Json, requireSuccess, succeeded } from "../engine/assertions.ts";
import { type Context, type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { Unmet } from "../engine/outcome.ts";
import { Inputs } from "./inputs.ts";
import { fieldsOf } from "./lists.ts";
import { createdId, creations, type Part, projectFor, projectPath, projects, usualSettling } from "./projects.ts";
import { type Unauthenticated, withoutKey } from "./without-key.ts";

export const feedbackPath = (id: string) => `/feedback/${encodeURIComponent(id)}`;
export const feedbackListPath = (projectId: string) => `${projectPath(projectId)}/feedback`;

export interface Submission {
  readonly projectId: string;
  readonly sent: Json;
  readonly answer: Exchange;
}

/** Feedback that was submitted, with what was sent. */
export interface Submitted extends Submission {
  readonly id: string;
}

/** The project to which feedback is sent: an existing one where the deployment names one. */
export async function openProject(context: Context, part: Part): Promise<string> {
  return context.options.project?.open ?? (await projectFor(context, part)).id;
}

/** Submits feedback to a project. */
export async function submit(
  context: Context,
  holder: "tester" | "developer",
  projectId: string,
  sent: Json,
): Promise<Submission> {
  const send = () => context.send(holder, "POST", feedbackListPath(projectId), { body: sent });
  return { projectId, sent, answer: await context.make("feedback", holder, send) };
}

/** The status that a project shows to its owner. */
async function statusOf(context: Context, projectId: string): Promise<unknown> {
  return fieldsOf((await context.send("developer", "GET", projectPath(projectId))).json).status;
}

const openRemedy = "Declare under `project` in conformance.yaml how a project comes to accept feedback.";

/** The first submission of the tester, as it was answered: on the main project, with two bugs. */
export const firstSubmission: Evidence<Submission> = evidence({
  name: "feedback being submitted",
  needs: [projects, creations],
  cost: { tester: 1 },
  optional: { quick: { tester: 1, developer: 2 }, full: { tester: 1, developer: 2 } },
  writes: true,
  async gather(context) {
    const inputs = new Inputs(context);
    const projectId = await openProject(context, "main");
    const send = () => submit(context, "tester", projectId, inputs.feedback(0, inputs.rating(2), ["high", "high"]));
    const first = await send();
    const { status } = first.answer;
    if (succeeded(first.answer) || status === 401 || status >= 500) return first;
    const before = await statusOf(context, projectId);
    if (before === "active" || typeof before !== "string") return first;
    // A new project may become active a moment after its creation.
    await context.pause(usualSettling);
    if ((await statusOf(context, projectId)) === before)
      throw new Unmet(`No project accepts feedback: a new project is ${before}.`, first.answer, openRemedy);
    return send();
  },
});

const submitted = (submission: Submission): Submitted => ({
  ...submission,
  id: createdId(submission.answer, "Submitting feedback"),
});

export const firstFeedback: Evidence<Submitted> = evidence({
  name: "feedback that was submitted",
  needs: [firstSubmission],
  cost: {},
  writes: true,
  gather: async (context) => submitted(await context.use(firstSubmission)),
});

/** Levels of the ratings after the first. By date they fall and rise, by rating the dates do, and the second, which is marked, is at no end of either order. */
const levels = [1, 0, 2] as const;

export interface Submissions {
  /** The submissions that must be accepted, the first one among them. */
  readonly usual: readonly Submitted[];
  /** Submissions with other ratings and texts, which a server may refuse. */
  readonly unusual: readonly Submission[];
}

/** The submissions of the tester on the main project. */
export const submissions: Evidence<Submissions> = evidence({
  name: "submissions on one project",
  needs: [firstFeedback, firstSubmission],
  cost: { tester: 3 },
  optional: { quick: { tester: 4 }, full: { tester: 5 } },
  writes: true,
  async gather(context) {
    const inputs = new Inputs(context);
    const { projectId, answer } = await context.use(firstSubmission);
    const usual = [await context.use(firstFeedback)];
    for (const [n, level] of levels.slice(0, inputs.submissions - 1).entries()) {
      // Where dates are told to the second, they must differ by one for their order to be seen.
      if (n === 1 && !tellsMilliseconds(answer)) await context.pause(1.1);
      const body = inputs.feedback(n + 1, inputs.rating(level), ["high"]);
      usual.push(submitted(await submit(context, "tester", projectId, body)));
    }
    const unusual: Submission[] = [];
    for (const body of unusualBodies(inputs).slice(0, inputs.submissions - usual.length)) {
      if (context.affords("tester")) unusual.push(await submit(context, "tester", projectId, body));
    }
    if (context.options.settle) await context.pause(context.options.settle);
    return { usual, unusual };
  },
});

function unusualBodies(inputs: Inputs): Json[] {
  const written = (text: string, n: number): Json => {
    const plain = inputs.feedback(n, inputs.rating(1), ["high"]);
    const ui = fieldsOf(plain.uiFeedback);
    const ux = fieldsOf(plain.uxFeedback);
    return {
      ...plain,
      uiFeedback: { ...ui, colors: text, typography: text, layout: text },
      uxFeedback: { ...ux, flow: text, usability: text, suggestions: text },
      bugs: Array.isArray(plain.bugs)
        ? plain.bugs.map((bug) => ({ ...fieldsOf(bug), description: text, stepsToReproduce: text }))
        : [],
      generalComments: text,
    };
  };
  const [one = inputs.rating(0), other] = inputs.moreRatings;
  return [
    { ...written(inputs.special("text"), 4), overallRating: one },
    inputs.feedback(5, other ?? one, ["high"]),
    written(inputs.special("text"), 6),
    written(inputs.long("text"), 7),
    inputs.feedback(8, one, ["high"]),
  ];
}

function tellsMilliseconds({ json }: Exchange): boolean {
  const created = isRecord(json) ? json.createdAt : undefined;
  return instant(created) % 1000 > 0;
}

/** A submission of the developer on the same project, which a deployment need not accept. */
export const developersSubmission: Evidence<Submission> = evidence({
  name: "feedback submitted by the developer",
  needs: [submissions, firstSubmission],
  cost: { developer: 1 },
  writes: true,
  async gather(context) {
    await context.use(submissions);
    const inputs = new Inputs(context);
    const { projectId } = await context.use(firstSubmission);
    return submit(context, "developer", projectId, inputs.feedback(9, inputs.rating(1), ["high"]));
  },
});

/** The detail of the first feedback, as its author sees it. Whether testers read feedback is not stated. */
export const detailByAuthor: Evidence<Exchange> = evidence({
  name: "the detail of feedback, read by its author",
  needs: [firstFeedback],
  cost: { tester: 1 },
  writes: true,
  gather: async (context) => context.send("tester", "GET", feedbackPath((await context.use(firstFeedback)).id)),
});

/** The detail of the first feedback, as the owner of the project sees it. */
export const detailByOwner: Evidence<Exchange> = evidence({
  name: "the detail of feedback, read by the owner of its project",
  needs: [firstFeedback],
  cost: { developer: 1 },
  writes: true,
  gather: async (context) => context.send("developer", "GET", feedbackPath((await context.use(firstFeedback)).id)),
});

/** Who reads feedback in this run: its author, or the owner of the project where testers may not. */
export const reader: Evidence<"tester" | "developer"> = evidence({
  name: "a key that reads feedback",
  needs: [detailByAuthor, detailByOwner],
  cost: {},
  writes: true,
  async gather(context) {
    const own = await context.use(detailByAuthor);
    const holder = !succeeded(own) && succeeded(await context.use(detailByOwner)) ? "developer" : "tester";
    context.readFeedbackWith(holder);
    return holder;
  },
});

/** Reads feedback with the key that may. The context's evidence must name `reader`. */
export async function readFeedback(context: Context, id: string): Promise<Exchange> {
  return context.send(await context.use(reader), "GET", feedbackPath(id));
}

/** The first detail, by whoever reads feedback. Evidence that uses it names `reader`, `detailByAuthor` and `detailByOwner`. */
export async function firstDetail(context: Context): Promise<Exchange> {
  return (await context.use(reader)) === "tester" ? context.use(detailByAuthor) : context.use(detailByOwner);
}
export const firstDetailNeeds = [reader, detailByAuthor, detailByOwner] as const;

/** Details of the submissions with unusual ratings and texts, where they were accepted. */
export const unusualDetails: Evidence<{ readonly sent: Json; readonly detail: Exchange }[]> = evidence({
  name: "feedback with unusual texts being read",
  needs: [submissions, reader],
  cost: {},
  optional: { quick: { tester: 3 }, full: { tester: 5, developer: 5 } },
  writes: true,
  async gather(context) {
    const { unusual } = await context.use(submissions);
    const all = [];
    for (const { sent, answer } of unusual) {
      const { id } = fieldsOf(answer.json);
      if (!succeeded(answer) || id === undefined || !context.affords(await context.use(reader))) continue;
      all.push({ sent, detail: await readFeedback(context, String(id)) });
    }
    return all;
  },
});

export interface SecondSubmission {
  readonly projectId: string;
  readonly withoutKey: Unauthenticated;
  /** The list after the attempts without a valid key. */
  readonly listed: Exchange;
  readonly submission: Submission;
}

/** Feedback on the second project, tried without a valid key and then submitted: two bugs of the other stated severity. */
export const secondSubmission: Evidence<SecondSubmission> = evidence({
  name: "feedback on a second project",
  needs: [projects, creations, firstSubmission, reader],
  cost: { tester: 1, nobody: 2 },
  reads: 1,
  writes: true,
  async gather(context) {
    await context.use(firstSubmission);
    const inputs = new Inputs(context);
    const projectId = await openProject(context, "second");
    const sent = inputs.feedback(10, inputs.rating(0), ["medium", "medium"]);
    const at = feedbackListPath(projectId);
    const attempt = await withoutKey(context, "POST", at, { body: sent });
    const listed = await context.send(await context.use(reader), "GET", at);
    return { projectId, withoutKey: attempt, listed, submission: await submit(context, "tester", projectId, sent) };
  },
});

export const secondFeedback: Evidence<Submitted> = evidence({
  name: "feedback that was submitted on a second project",
  needs: [secondSubmission],
  cost: {},
  writes: true,
  gather: async (context) => submitted((await context.use(secondSubmission)).submission),
});

/** Marks of the developer, which nobody else makes: on the second submission, at full depth on the third too. */
export const marks: Evidence<{ readonly marked: Submitted; readonly answer: Exchange }[]> = evidence({
  name: "feedback being marked as helpful",
  needs: [submissions, ...firstDetailNeeds],
  cost: { developer: 1 },
  optional: { quick: {}, full: { developer: 1 } },
  writes: true,
  async gather(context) {
    requireSubmitted(await firstDetail(context));
    const { usual } = await context.use(submissions);
    const all = [];
    for (const marked of [usual[1] ?? usual[0], ...(context.depth === "full" ? [usual[3]] : [])]) {
      if (marked === undefined) continue;
      all.push({ marked, answer: await context.send("developer", "POST", `${feedbackPath(marked.id)}/helpful`) });
    }
    return all;
  },
});

/** @throws Unmet where submitted feedback reads back as a draft, which a developer need not see; a check judges that */
export function requireSubmitted(detail: Exchange): void {
  if (isRecord(detail.json) && detail.json.status === "draft")
    throw new Unmet("Submitted feedback reads back as a draft.", detail);
}

/** The author of the first feedback, as its detail tells. @throws Unmet where it does not */
export async function testerIdOf(context: Context): Promise<string> {
  const detail = await firstDetail(context);
  requireSuccess(detail, "Reading the feedback");
  const { testerId } = fieldsOf(detail.json);
  if (typeof testerId !== "string" && typeof testerId !== "number")
    throw new Unmet("The detail of feedback does not show its testerId.", detail);
  return String(testerId);
}
