import { type Fields, fieldsOf } from "../wire.ts";
import { timestamp } from "./forms.ts";
import type { Feedback, Project, World } from "./records.ts";

type Server = Pick<World, "choices" | "feedback" | "now">;

/** The status of a record, which may change by itself a while after its creation. */
export function statusOf({ choices, now }: Server, record: Project | Feedback): string {
  const { settlesAfter } = choices;
  if (settlesAfter === 0 || now - record.created < settlesAfter) return record.status;
  if ("owner" in record) return record.status === "draft" ? "active" : record.status;
  return record.status === "submitted" ? "approved" : record.status;
}

const timeOf = ({ choices }: Server, listed: boolean) => (listed && choices.listTime) || choices.time;

export function projectItem(server: Server, project: Project, listed = false): Fields {
  const { title, description, category } = project.fields;
  const createdAt = timestamp(project.created, timeOf(server, listed));
  return { id: project.id, title, description, category, status: statusOf(server, project), createdAt };
}

export function projectDetail(server: Server, project: Project): Fields {
  const { screenshots = [], projectUrl = null, isPublic = true, testingRequirements = null } = project.fields;
  const past = server.feedback.filter((one) => one.project === project && statusOf(server, one) !== "draft");
  const stats = {
    views: project.views,
    testerRequests: new Set(past.map(({ author }) => author)).size,
    approvedTesters: 0,
    feedbackCount: past.length,
  };
  const { detail, time } = server.choices;
  return {
    ...projectItem(server, project),
    screenshots,
    projectUrl,
    stats: detail === "extended" ? { ...stats, stars: "many" } : stats,
    updatedAt: timestamp(project.updated, time),
    ...(detail === "stated" ? {} : { isPublic, testingRequirements }),
    ...(detail === "extended" ? { links: { self: "/" }, tags: [] } : {}),
  };
}

export function feedbackItem(server: Server, feedback: Feedback, listed = false): Fields {
  return {
    id: feedback.id,
    projectId: feedback.project.id,
    testerId: feedback.author.id,
    overallRating: feedback.fields.overallRating,
    status: statusOf(server, feedback),
    createdAt: timestamp(feedback.created, timeOf(server, listed)),
  };
}

export function feedbackDetail(server: Server, feedback: Feedback): Fields {
  const { uiFeedback = null, uxFeedback = null, generalComments = null } = feedback.fields;
  const { detail, replies } = server.choices;
  const bugs = feedback.bugs.map(({ stepsToReproduce = null, screenshot = null, ...bug }) =>
    detail === "stated" ? { ...bug, screenshot } : { ...bug, screenshot, stepsToReproduce },
  );
  const responses = feedback.replies.map((one) => replyView(server, one));
  return {
    ...feedbackItem(server, feedback),
    uiFeedback: detail === "extended" && uiFeedback ? { ...fieldsOf(uiFeedback), score: 1 } : uiFeedback,
    uxFeedback,
    bugs,
    ...(detail === "stated"
      ? {}
      : {
          generalComments,
          helpfulCount: feedback.marks.length,
          developerResponse: replies === "append" ? responses : (responses.at(-1) ?? null),
        }),
  };
}

export function replyView({ choices }: Server, reply: Fields): Fields {
  const { message, resolvedItems } = reply;
  return { message, resolvedItems, createdAt: timestamp(Number(reply.created), choices.time) };
}
